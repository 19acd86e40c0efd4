// Steps other than one, in both directions, that do not end on the bound.
// -P n=50
void strided(int n, double *a, double *b)
{
  for (int i = 0; i < n; i += 3)
    a[i] = 0.0; // stores 17
  for (int i = n - 1; i >= 0; i -= 4)
    b[i] = a[i / 2]; // loads 13, stores 13
  for (int i = 1; i <= n; i = i + 7)
    b[i - 1] = 1.0; // stores 8
}
