/* Matrix product, rows innermost: the good order. */

void mxm_ikj(int n, double a[n][n], double b[n][n], double c[n][n])
{
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i][j] = c[i][j] + a[i][k] * b[k][j];
}
