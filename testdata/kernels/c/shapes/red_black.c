// Gauss-Seidel of one dimension: the points at odd places, then those at even places.
// -P n=15
void red_black(int n, double *u, double *f)
{
  for (int i = 1; i < n - 1; i += 2)
    u[i] = f[i] + u[i - 1] + u[i + 1]; // loads 21, stores 7
  for (int i = 2; i < n - 1; i += 2)
    u[i] = f[i] + u[i - 1] + u[i + 1]; // loads 18, stores 6
}
