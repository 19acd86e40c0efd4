/* More nests that refactorings are tried on: several in a function, data, memory that is allocated. */
#include <stdlib.h>
#define N 64
double u[N][N], v[N][N];
void two(int n, double *a, double *b, double *c)
{
  for (int i = 0; i < n; i++)
    b[i] = 2 * a[i];
  for (int i = 0; i < n; i++)
    c[i] = b[i] + a[i];
}
void csr(int rows, const int *start, const int *col, const double *val, const double *x, double *y)
{
  for (int i = 0; i < rows; i++) {
    double s = 0.0;
    for (int k = start[i]; k < start[i + 1]; k++)
      s += val[k] * x[col[k]];
    y[i] = s;
  }
}
void cond(int n, double *a, double *b)
{
  for (int i = 0; i < n; i++)
    if (a[i] > 0)
      b[i] = a[i];
    else
      b[i] = 0;
}
void heap(int n)
{
  double *w = malloc(n * n * sizeof(double));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      w[i * n + j] = i + j;
  free(w);
}
void tri(int n, double a[n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      a[i][j] *= 0.5;
}
void fixed(void)
{
  for (int t = 0; t < 10; t++)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        v[i][j] = u[i - 1][j] + u[i + 1][j];
}
