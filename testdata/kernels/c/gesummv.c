/* y = alpha*A*x + beta*B*x: two matrices side by side, each read once. */
#ifndef N
#define N 30
#endif

void kernel_gesummv(double alpha, double beta, double A[N][N], double B[N][N], double tmp[N],
                    double x[N], double y[N])
{
  for (int i = 0; i < N; i++) {
    tmp[i] = 0.0;
    y[i] = 0.0;
    for (int j = 0; j < N; j++) {
      tmp[i] = A[i][j] * x[j] + tmp[i];
      y[i] = B[i][j] * x[j] + y[i];
    }
    y[i] = alpha * tmp[i] + beta * y[i];
  }
}
