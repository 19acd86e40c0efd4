// Two-dimensional data behind one subscript.
// -P n=12 -P m=9
void linearised(int n, int m, double *a, const double *b)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i * m + j] = b[j * n + i]; // loads 108, stores 108
}
