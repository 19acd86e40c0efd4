/* No build compiles this file. */
double trace(int n, double a[n][n])
{
  double sum = LEVEL;
  for (int i = 0; i < n; i++)
    sum += a[i][i];
  return sum;
}
