/* STREAM triad: three streams, no reuse but within a line. */

void triad(int n, double a[n], double b[n], double c[n])
{
  for (int i = 0; i < n; i++)
    a[i] = b[i] + 3.0 * c[i];
}
