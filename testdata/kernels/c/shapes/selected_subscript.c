// A subscript that a condition on the iterator selects.
// -P n=21
void selected_subscript(int n, double *a, const double *b)
{
  for (int i = 0; i < n; i++)
    a[i < n / 2 ? i : n - 1 - i] += b[i % 4]; // loads 42, stores 21
}
