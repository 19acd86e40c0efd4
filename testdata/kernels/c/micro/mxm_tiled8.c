/* Matrix product in tiles of 8 by 8; n is a multiple of 8. */

void mxm_tiled8(int n, double a[n][n], double b[n][n], double c[n][n])
{
  for (int ii = 0; ii < n; ii += 8)
    for (int jj = 0; jj < n; jj += 8)
      for (int kk = 0; kk < n; kk += 8)
        for (int i = ii; i < ii + 8; i++)
          for (int j = jj; j < jj + 8; j++)
            for (int k = kk; k < kk + 8; k++)
              c[i][j] = c[i][j] + a[i][k] * b[k][j];
}
