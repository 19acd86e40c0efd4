// What three nests hand on to each other lies in rows of floats that end within a line.
// -P n=6 -P m=7
void float_chain(int n, int m, float a[n][m + 3], float b[n][m + 3], float *sums)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j + 3] = a[i][j]; // loads 42, stores 42
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m + 2; j++)
      b[i][j] = a[i][j - 1] + a[i][j + 1]; // loads 96, stores 48
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m + 3; j++)
      sums[i] += b[i][j]; // loads 120, stores 60
}
