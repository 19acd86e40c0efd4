// All elements of a matrix in one loop, and row by row.
// -P n=9 -P m=13
void all_elements(int n, int m, double *a, double *b)
{
  for (int i = 0; i < n * m; i++)
    a[i] = 0.0; // stores 117
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i * m + j] += b[i * m + j]; // loads 234, stores 117
  for (int k = n * m - 1; k >= 0; k--)
    b[k / m * m + k % m] += a[k]; // loads 234, stores 117
}
