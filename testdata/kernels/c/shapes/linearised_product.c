// A matrix behind one subscript times a vector, and its transpose times another.
// -P n=9
void linearised_product(int n, double *a, double *x, double *y)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i] += a[i * n + j] * x[j]; // loads 243, stores 81
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i] += a[j * n + i] * y[j]; // loads 243, stores 81
}
