/* The loops of mvt fused, with the second transposed: the matrix is read once. */

void mvtT(int n, double x1[n], double x2[n], double y1[n], double y2[n], double a[n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      x1[i] = x1[i] + a[i][j] * y1[j];
      x2[j] = x2[j] + a[i][j] * y2[i];
    }
}
