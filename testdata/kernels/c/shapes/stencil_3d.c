// A stencil of three dimensions that overwrites its only array.
// -P n=6
void stencil_3d(int n, double a[n][n][n])
{
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        a[i][j][k] = a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + // loads 192, stores 64
                     a[i][j + 1][k] + a[i][j][k - 1] + a[i][j][k + 1]; // loads 192
}
