// Along the diagonals of a square: the points of one do not depend on each other.
// -P n=8
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

void wavefront(int n, double a[n][n])
{
  for (int t = 2; t <= 2 * n - 2; t++)
    for (int i = MAX(1, t - n + 1); i <= MIN(n - 1, t - 1); i++)
      a[i][t - i] = a[i - 1][t - i] + a[i][t - i - 1]; // loads 98, stores 49
}
