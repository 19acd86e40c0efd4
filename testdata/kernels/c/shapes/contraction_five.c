// A product of tensors over two indices, five loops deep, the second tensor transposed.
// -P n=4
void contraction_five(int n, double c[n][2][n], double a[n][3][2], double b[n][2][3][2])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < n; k++)
        for (int p = 0; p < 2; p++)
          for (int q = 0; q < 3; q++)
            c[i][j][k] += a[i][q][p] * b[k][p][q][j]; // loads 576, stores 192
}
