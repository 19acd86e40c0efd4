// A convolution of two dimensions with a filter of three by three.
// -P n=8
void convolution(int n, double out[n][n], double in[n + 2][n + 2], double filter[3][3])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      out[i][j] = 0.0; // stores 64
      for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++)
          out[i][j] += filter[p][q] * in[i + p][j + q]; // loads 1728, stores 576
    }
}
