// A jump backwards is a loop that nothing counts.
void retry(int n, double *a)
{
  int i = 0;
  for (int k = 0; k < n; k++)
    a[k] = 1.0;
again:
  for (int k = 0; k < n; k++)
    a[k] += 1.0;
  if (a[i] < 0.0)
    goto again; // rejects: jump
}
