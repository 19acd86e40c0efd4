// Gauss-Seidel of two dimensions by colours: of each row every other point.
// -P n=10
void red_black_2d(int n, double u[n][n])
{
  for (int colour = 0; colour < 2; colour++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        if ((i + j) % 2 == colour)
          u[i][j] = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]; // loads 256, stores 64
}
