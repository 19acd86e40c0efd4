// A pointer of which nothing tells where it leads: it leads to a block of its own, anywhere in it, or to a scalar in a register.
// -P n=10
void own_blocks(int n, long address, double *a)
{
  const double *p = (const double *)address;
  for (int i = 0; i < n; i++)
    a[i] += p[i]; // loads 10 to 20, stores 10
}
