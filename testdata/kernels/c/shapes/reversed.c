// Both loops of a nest run downward; the next nest runs upward over the same data.
// -P n=9
void reversed(int n, double a[n][n], double *sum)
{
  for (int i = n - 1; i >= 0; i--)
    for (int j = n - 1; j >= 0; j--)
      sum[i] += a[i][j]; // loads 162, stores 81
  for (int i = 0; i < n; i++)
    for (int j = n - 1; j >= i; j--)
      a[i][j] = sum[j]; // loads 45, stores 45
}
