// A stencil of two dimensions, tile by tile.
// -P n=14
#define MIN(a, b) ((a) < (b) ? (a) : (b))

void tiled_stencil(int n, double a[n][n], double b[n][n])
{
  for (int ii = 1; ii < n - 1; ii += 8)
    for (int jj = 1; jj < n - 1; jj += 8)
      for (int i = ii; i < MIN(ii + 8, n - 1); i++)
        for (int j = jj; j < MIN(jj + 8, n - 1); j++)
          b[i][j] = a[i - 1][j] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j]; // loads 576, stores 144
}
