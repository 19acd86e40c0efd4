// A block of a matrix goes elsewhere, off the lines, and partly back into itself.
// -P n=10
void block_copy(int n, double a[n + 3][n + 5], double b[n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i + 3][j + 5] = b[i][j]; // loads 100, stores 100
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j + 1] = a[i + 2][j + 3]; // loads 100, stores 100
}
