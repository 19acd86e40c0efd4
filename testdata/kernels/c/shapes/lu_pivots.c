// Elimination whose first pivot row is exchanged with the last row.
// -P n=6
void lu_pivots(int n, double a[n][n])
{
  for (int j = 0; j < n; j++) {
    double t = a[0][j];    // loads 6
    a[0][j] = a[n - 1][j]; // loads 6, stores 6
    a[n - 1][j] = t;       // stores 6
  }
  for (int k = 0; k < n - 1; k++)
    for (int i = k + 1; i < n; i++) {
      a[i][k] /= a[k][k]; // loads 30, stores 15
      for (int j = k + 1; j < n; j++)
        a[i][j] -= a[i][k] * a[k][j]; // loads 165, stores 55
    }
}
