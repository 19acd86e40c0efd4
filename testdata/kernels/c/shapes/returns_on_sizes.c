// A return in a loop that the iterator decides: what is behind the loop is not executed.
// -P n=30 -P m=12
int returns_on_sizes(int n, int m, double *a)
{
  for (int i = 0; i < m; i++) {
    if (i == n)
      return -1;
    a[i] = 0.0; // stores 12
  }
  for (int i = 0; i < n; i++) {
    a[i] = 1.0; // stores 13
    if (i == m)
      return i;
  }
  for (int i = 0; i < n; i++)
    a[i] = 2.0;
  return n;
}
