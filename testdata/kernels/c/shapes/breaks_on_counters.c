// Loops without a condition that a break ends as one would.
// -P n=30
void breaks_on_counters(int n, double *a)
{
  int i = 0;
  for (;;) {
    if (i >= n)
      break;
    a[i] = 0.0; // stores 30
    i++;
  }
  for (int k = 0;; k++) {
    if (k == n)
      break;
    a[k] += 1.0; // loads 30, stores 30
  }
  int t = 0;
  while (1) {
    for (int j = 0; j < n; j++)
      a[j] *= 2.0; // loads 90, stores 90
    if (++t >= 3)
      break;
  }
}
