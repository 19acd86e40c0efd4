/* mvt_running.c with what one row needs held in scalars, as a compiler would. */
#ifndef N
#define N 2500
#endif

void kernel_mvt(double a[N][N], double y_1[N], double y_2[N], double x1[N], double x2[N])
{
  for (int i = 0; i <= N - 1; i++) {
    double temp1 = x1[i];
    double temp2 = y_2[i];
    for (int j = 0; j <= N - 1; j++) {
      double temp3 = a[i][j];
      temp1 = temp1 + temp3 * y_1[j];
      x2[j] = x2[j] + temp3 * temp2;
    }
    x1[i] = temp1;
  }
}
