// Arrays of variable length: a parameter, a pointer to rows, a local one.
// -P n=9 -P m=7
void vla(int n, int m, double a[n][m], double (*b)[m])
{
  double row[m];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      row[j] = a[i][j]; // loads 63, stores 63
    for (int j = 0; j < m; j++)
      b[i][m - 1 - j] = row[j]; // loads 63, stores 63
  }
}
