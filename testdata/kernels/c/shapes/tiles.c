// Tiles that the size does not divide.
// -P n=10
#define MIN(a, b) ((a) < (b) ? (a) : (b))

void tiles(int n, double a[n][n], double b[n][n])
{
  for (int ii = 0; ii < n; ii += 4)
    for (int jj = 0; jj < n; jj += 4)
      for (int i = ii; i < MIN(ii + 4, n); i++)
        for (int j = jj; j < MIN(jj + 4, n); j++)
          a[i][j] = b[j][i]; // loads 100, stores 100
}
