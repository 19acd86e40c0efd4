/* The triad twice: reused only where all three streams fit. */

void triad2x(int n, double a[n], double b[n], double c[n])
{
  for (int t = 0; t < 2; t++)
    for (int i = 0; i < n; i++)
      a[i] = b[i] + 3.0 * c[i];
}
