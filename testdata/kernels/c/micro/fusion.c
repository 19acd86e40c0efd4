/* The loops of fission as one: each line is used twice while it is there. */

void fusion(int n, double a[n], double b[n], double c[n], double d[n])
{
  for (int i = 0; i < n; i++) {
    a[i] = b[i] + c[i];
    d[i] = a[i] * b[i];
  }
}
