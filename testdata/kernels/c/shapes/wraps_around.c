// Neighbours on a ring, by remainders.
// -P n=30
void wraps_around(int n, double *a, double *b)
{
  for (int i = 0; i < n; i++)
    b[i] = a[(i + 1) % n] + a[(i + n - 1) % n]; // loads 60, stores 30
  for (int i = 0; i < 2 * n; i++)
    b[i % n] += a[i - i / n * n]; // loads 120, stores 60
}
