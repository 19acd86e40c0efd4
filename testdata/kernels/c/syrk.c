/* C += A A^T, lower triangle only. */
#ifndef M
#define M 20
#endif
#ifndef N
#define N 30
#endif

void kernel_syrk(double alpha, double beta, double C[N][N], double A[N][M])
{
  for (int i = 0; i < N; i++) {
    for (int j = 0; j <= i; j++)
      C[i][j] *= beta;
    for (int k = 0; k < M; k++)
      for (int j = 0; j <= i; j++)
        C[i][j] += alpha * A[i][k] * A[j][k];
  }
}
