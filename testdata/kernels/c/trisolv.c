/* Forward substitution with a lower triangular matrix. */
#ifndef N
#define N 40
#endif

void kernel_trisolv(double L[N][N], double x[N], double b[N])
{
  for (int i = 0; i < N; i++) {
    x[i] = b[i];
    for (int j = 0; j < i; j++)
      x[i] -= L[i][j] * x[j];
    x[i] = x[i] / L[i][i];
  }
}
