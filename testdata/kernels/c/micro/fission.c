/* Two loops over the same arrays: the second finds them gone where they do not fit. */

void fission(int n, double a[n], double b[n], double c[n], double d[n])
{
  for (int i = 0; i < n; i++)
    a[i] = b[i] + c[i];
  for (int i = 0; i < n; i++)
    d[i] = a[i] * b[i];
}
