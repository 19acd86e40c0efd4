/* y = A^T (A x): each row of A is read twice in a row. */
#ifndef M
#define M 38
#endif
#ifndef N
#define N 42
#endif

void kernel_atax(double A[M][N], double x[N], double y[N], double tmp[M])
{
  for (int i = 0; i < N; i++)
    y[i] = 0;
  for (int i = 0; i < M; i++) {
    tmp[i] = 0.0;
    for (int j = 0; j < N; j++)
      tmp[i] = tmp[i] + A[i][j] * x[j];
    for (int j = 0; j < N; j++)
      y[j] = y[j] + A[i][j] * tmp[i];
  }
}
