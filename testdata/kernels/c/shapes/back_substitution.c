// A triangular system from its last row upward, two rows at a time.
// -P n=9
void back_substitution(int n, double u[n][n], double *x)
{
  for (int i = n - 1; i > 0; i -= 2) {
    for (int j = i + 1; j < n; j++) {
      x[i] -= u[i][j] * x[j];         // loads 36, stores 12
      x[i - 1] -= u[i - 1][j] * x[j]; // loads 36, stores 12
    }
    x[i] /= u[i][i];                        // loads 8, stores 4
    x[i - 1] -= u[i - 1][i] * x[i];         // loads 12, stores 4
    x[i - 1] /= u[i - 1][i - 1];            // loads 8, stores 4
  }
}
