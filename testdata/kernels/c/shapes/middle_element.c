// The element in the middle: half of a size is less than the size.
// -P n=10
double middle_element(int n, double c[n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i][j] = i; // stores 100
  return c[n / 2][n / 2]; // loads 1
}
