// An end of the program under a condition on a counter that is not the iterator is possible, and so is what follows.
// -P n=9 -P m=3
void exit(int);
void ends_on_counters(int n, int m, double *a)
{
  for (int l = 0, h = n; l < h; l++, h--) {
    if (h <= m)
      exit(1);
    a[l] = 1.0; // stores 0 to 5
  }
  a[n] = 2.0; // stores 0 to 1
}
