// Two tensors summed over two indices; of the second the summed indices stand the other way round.
// -P n=5
void contraction_transposed(int n, double c[2][n][3], double a[2][n][n], double b[n][3][n])
{
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < n; l++)
          c[i][j][k] += a[i][j][l] * b[l][k][j]; // loads 450, stores 150
}
