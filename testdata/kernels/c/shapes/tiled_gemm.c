// A product of matrices in tiles that the sizes need not divide.
// -P n=6
#define MIN(a, b) ((a) < (b) ? (a) : (b))

void tiled_gemm(int n, double c[n][n], double a[n][n], double b[n][n])
{
  for (int ii = 0; ii < n; ii += 8)
    for (int kk = 0; kk < n; kk += 8)
      for (int i = ii; i < MIN(ii + 8, n); i++)
        for (int k = kk; k < MIN(kk + 8, n); k++)
          for (int j = 0; j < n; j++)
            c[i][j] += a[i][k] * b[k][j]; // loads 648, stores 216
}
