// A counter that runs through a packed triangle.
// -P n=14
void packed_triangular(int n, const double *packed, double full[n][n])
{
  int k = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      full[i][j] = packed[k]; // loads 105, stores 105
      k++;
    }
}
