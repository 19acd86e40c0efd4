/* C += A B with the inner loop unrolled once; N even. For N odd the last k is left out. */
#ifndef N
#define N 8
#endif

void kernel_unrolled(double C[N][N], double A[N][N], double B[N][N])
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N - 1; k += 2)
        C[i][j] += A[i][k] * B[k][j] + A[i][k + 1] * B[k + 1][j];
}
