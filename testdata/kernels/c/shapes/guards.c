// Conditions on iterators choose which accesses happen; only the arm taken counts.
// -P n=12
void guards(int n, double a[n][n], double *edge)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (i == j)
        a[i][j] = 1.0; // stores 12
      else if (i < j && j % 2 == 0)
        a[i][j] = a[j][i]; // loads 30, stores 30
      if (!(i > 0) || j == n - 1)
        edge[i + j] = i + j < n ? a[i][j] : 0.0; // loads 12, stores 23
    }
}
