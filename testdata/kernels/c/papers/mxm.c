/* C = A B, with A of N x M and B of M x N: long and skinny with M < N, short and fat with N < M. */
#ifndef N
#define N 1024
#endif
#ifndef M
#define M 32
#endif

void kernel_mxm(double C[N][N], double A[N][M], double B[M][N])
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double temp = 0;
      for (int k = 0; k < M; k++)
        temp += A[i][k] * B[k][j];
      C[i][j] = temp;
    }
}
