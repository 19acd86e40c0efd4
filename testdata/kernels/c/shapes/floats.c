// Sixteen elements in a line, next to eight.
// -P n=9
void floats(int n, float a[n][n], float *x, double *y)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i] += a[i][j] * x[j]; // loads 243, stores 81
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++)
      x[j] += a[i][j]; // loads 90, stores 45
}
