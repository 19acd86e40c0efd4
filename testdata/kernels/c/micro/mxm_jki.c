/* Matrix product, columns of a and c innermost: the bad order. */

void mxm_jki(int n, double a[n][n], double b[n][n], double c[n][n])
{
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++)
      for (int i = 0; i < n; i++)
        c[i][j] = c[i][j] + a[i][k] * b[k][j];
}
