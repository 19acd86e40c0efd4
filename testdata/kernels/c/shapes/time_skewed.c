// Gauss-Seidel of one dimension, several steps of a block before the next: blocks are skewed.
// -P n=21 -P m=3
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

void time_skewed(int n, int m, double *u)
{
  for (int ii = 0; ii < n + m; ii += 8)
    for (int t = 0; t < m; t++)
      for (int i = MAX(ii, t + 1); i < MIN(ii + 8, n - 1 + t); i++)
        u[i - t] += u[i - t - 1] + u[i - t + 1]; // loads 171, stores 57
}
