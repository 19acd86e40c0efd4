// A function that calls itself.
void halves(int n, double *a)
{
  for (int i = 0; i < n; i++)
    a[i] += 1.0;
  if (n > 1)
    halves(n / 2, a); // rejects: recursion
}
