// Two tensors of three dimensions summed over one index, five loops deep.
// -P n=4
void contraction(int n, double c[3][n][2][n], double a[3][n][2], double b[2][2][n])
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < 2; k++)
        for (int l = 0; l < n; l++)
          for (int p = 0; p < 2; p++)
            c[i][j][k][l] += a[i][j][p] * b[k][p][l]; // loads 576, stores 192
}
