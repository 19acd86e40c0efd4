// A triangular system with as many right-hand sides as unknowns.
// -P n=6
void triangular_solve(int n, double l[n][n], double b[n][n])
{
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++)
      for (int j = 0; j < n; j++)
        b[i][j] -= l[i][k] * b[k][j]; // loads 270, stores 90
    for (int j = 0; j < n; j++)
      b[i][j] /= l[i][i]; // loads 72, stores 36
  }
}
