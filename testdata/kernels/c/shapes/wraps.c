// Unsigned numbers below zero wrap around: `n - 8` is huge for n < 8.
// -P n=5
void wraps(unsigned long n, double *a)
{
  for (unsigned long i = 0; i < n - 8 && i < 6; i++)
    a[i] = 1; // stores 6
  for (unsigned long i = n - 8; i < n; i++)
    a[i] = 2;
  for (unsigned long i = 0; i + 1 < n; i++)
    a[i] = 3; // stores 4
  for (unsigned long i = n - 1; i < n; i--)
    a[i] = 4; // stores 5
}
