// The loop ends where the iterator meets the bound.
// -P n=16
void not_equal(int n, float *a)
{
  for (int i = 0; i != n; i++)
    a[i] = 0.0f; // stores 16
  for (int i = n; i != 0; i -= 2)
    a[i - 1] += 1.0f; // loads 8, stores 8
}
