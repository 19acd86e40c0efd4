// Loops that count down, one to zero inclusive, one from past the end.
// -P n=30
void downward(int n, double *a)
{
  for (int i = n - 2; i >= 0; i--)
    a[i] = a[i + 1]; // loads 29, stores 29
  for (int i = n; i > 0; --i)
    a[i - 1] += 1.0; // loads 30, stores 30
}
