// Elements that numbers name, and some of the last row and column: rows hold them for n from 8 on.
// -P n=10
double single_elements(int n, double c[n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i][j] = i; // stores 100
  return c[0][7] + c[5][7] + c[n - 1][7] + c[3][n - 2]; // loads 4
}
