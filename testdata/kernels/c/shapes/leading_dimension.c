// A part of rows that are longer: n of m elements, where m is not less.
// -P n=10 -P m=12
void leading_dimension(int n, int m, double *a, double *b)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * m + j] += b[j * m + i]; // loads 200, stores 100
}
