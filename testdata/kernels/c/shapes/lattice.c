// The streaming step of a lattice Boltzmann method: each population comes from its own neighbour.
// -P n=14 -P m=6

static const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};

void lattice(int n, int m, double f[9][n][m], double g[9][n][m])
{
  for (int k = 0; k < 9; k++)
    for (int y = 1; y < n - 1; y++)
      for (int x = 1; x < m - 1; x++)
        g[k][y][x] = f[k][y - cy[k]][x - cx[k]]; // loads 1296, stores 432
}
