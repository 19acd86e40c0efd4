// Along the diagonals of tiles: the tiles of one do not depend on each other.
// -P n=11
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

void tiled_wavefront(int n, double a[n + 1][n + 1])
{
  for (int d = 0; d <= 2 * (n / 8); d++)
    for (int t = MAX(0, d - n / 8); t <= MIN(d, n / 8); t++)
      for (int i = 8 * t; i < MIN(8 * t + 8, n); i++)
        for (int j = 8 * (d - t); j < MIN(8 * (d - t) + 8, n); j++)
          a[i + 1][j + 1] += a[i][j + 1] + a[i + 1][j]; // loads 363, stores 121
}
