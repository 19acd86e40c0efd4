// Sums of all elements before, and of all after.
// -P n=20
void running_sums(int n, double *a, double *before, double *after)
{
  before[0] = a[0]; // loads 1, stores 1
  for (int i = 1; i < n; i++)
    before[i] = before[i - 1] + a[i]; // loads 38, stores 19
  after[n - 1] = a[n - 1]; // loads 1, stores 1
  for (int i = n - 2; i >= 0; i--)
    after[i] = after[i + 1] + a[i]; // loads 38, stores 19
}
