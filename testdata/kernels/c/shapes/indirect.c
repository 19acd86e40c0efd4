// A subscript loaded from memory: its own load is known, what it selects is not.
// -P n=40
void indirect(int n, const int *idx, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    y[i] = x[idx[i]]; // loads 80, stores 40
}
