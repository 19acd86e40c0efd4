// A matrix is transposed where it lies.
// -P n=10
void transpose_in_place(int n, double a[n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      double t = a[i][j]; // loads 45
      a[i][j] = a[j][i];  // loads 45, stores 45
      a[j][i] = t;        // stores 45
    }
}
