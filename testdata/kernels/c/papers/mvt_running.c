/* x1 += A y1 and x2 += A^T y2 in one nest. */
#ifndef N
#define N 2500
#endif

void kernel_mvt_running(double a[N][N], double y1[N], double y2[N], double x1[N], double x2[N])
{
  for (int i = 0; i <= N - 1; i++)
    for (int j = 0; j <= N - 1; j++) {
      x1[i] = x1[i] + a[i][j] * y1[j];
      x2[j] = x2[j] + a[i][j] * y2[i];
    }
}
