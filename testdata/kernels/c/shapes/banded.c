// A matrix that has elements only next to its diagonal times another.
// -P n=7
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

void banded(int n, double c[n][n], double a[n][n], double b[n][n])
{
  for (int i = 0; i < n; i++)
    for (int k = MAX(0, i - 2); k <= MIN(n - 1, i + 1); k++)
      for (int j = 0; j < n; j++)
        c[i][j] += a[i][k] * b[k][j]; // loads 504, stores 168
}
