/* C = alpha*A*B + beta*C with rows of B in the innermost loop. */
#ifndef NI
#define NI 20
#endif
#ifndef NJ
#define NJ 25
#endif
#ifndef NK
#define NK 30
#endif

void kernel_gemm(double alpha, double beta, double C[NI][NJ], double A[NI][NK],
                 double B[NK][NJ])
{
  for (int i = 0; i < NI; i++) {
    for (int j = 0; j < NJ; j++)
      C[i][j] *= beta;
    for (int k = 0; k < NK; k++)
      for (int j = 0; j < NJ; j++)
        C[i][j] += alpha * A[i][k] * B[k][j];
  }
}
