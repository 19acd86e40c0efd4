// Iterators that are multiplied and divided.
// -P n=30
void factor_steps(int n, double *a, double *b)
{
  for (int s = 1; s < n; s *= 2)
    a[s] = 0.0; // stores 5
  for (int s = n / 2; s > 0; s >>= 1)
    for (int i = 0; i < s; i++)
      a[i] += a[i + s]; // loads 52, stores 26
  int k = n;
  while (k) {
    b[k] = 1.0; // stores 4
    k = k / 3;
  }
  for (int i = k; i < n; i++)
    b[i] = 2.0; // stores 30
  for (unsigned length = 2; length <= n; length <<= 1)
    for (unsigned i = 0; i + length <= n; i += length)
      a[i] += 1.0; // loads 26, stores 26
}
