/* A = L L^T in place: triangular bounds, both operands of the update from A. */
#ifndef N
#define N 40
#endif

#include <math.h>

void kernel_cholesky(double A[N][N])
{
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        A[i][j] -= A[i][k] * A[j][k];
      A[i][j] /= A[j][j];
    }
    for (int k = 0; k < i; k++)
      A[i][i] -= A[i][k] * A[i][k];
    A[i][i] = sqrt(A[i][i]);
  }
}
