// Two pointers are swapped after each step: the number of steps before decides which array each leads to.
// -P n=10 -P m=3
void swapped_grids(int n, int m, double *a, double *b)
{
  for (int t = 0; t < m; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = a[i - 1] + a[i + 1]; // loads 48, stores 24
    double *swap = a;
    a = b;
    b = swap;
  }
  a[0] = b[0]; // loads 1, stores 1
}
