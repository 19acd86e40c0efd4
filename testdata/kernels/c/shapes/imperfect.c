// Statements before, between and after the inner loops.
// -P n=8
void imperfect(int n, double a[n][n], double *x, double *y)
{
  for (int i = 0; i < n; i++) {
    x[i] = 0.0; // stores 8
    for (int j = 0; j < n; j++)
      x[i] += a[i][j]; // loads 128, stores 64
    y[i] = x[i]; // loads 8, stores 8
    for (int j = i; j < n; j++)
      y[j] -= a[j][i]; // loads 72, stores 36
    x[i] = y[n - 1]; // loads 8, stores 8
  }
}
