// Calls are followed: what they touch counts where they touch it.
// -P n=8
static double dot(int n, const double *x, const double *y)
{
  double sum = 0.0;
  for (int k = 0; k < n; k++)
    sum += x[k] * y[k]; // loads 1024
  return sum;
}

void calls(int n, double a[n][n], double b[n][n], double c[n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i][j] = dot(n, a[i], b[j]); // stores 64
}
