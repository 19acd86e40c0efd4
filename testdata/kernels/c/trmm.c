/* B = alpha*A^T*B in place, A unit lower triangular and read by columns. */
#ifndef M
#define M 20
#endif
#ifndef N
#define N 30
#endif

void kernel_trmm(double alpha, double A[M][M], double B[M][N])
{
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      for (int k = i + 1; k < M; k++)
        B[i][j] += A[k][i] * B[k][j];
      B[i][j] = alpha * B[i][j];
    }
}
