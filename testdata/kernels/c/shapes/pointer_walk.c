// A pointer that is moved instead of an index, and one that is moved by rows.
// -P n=10
void pointer_walk(int n, double a[n][n], double *s)
{
  double *p = &a[0][0];
  for (int i = 0; i < n * n; i++)
    *p++ = 1.0; // stores 100
  double *row = s;
  for (int i = 0; i < n; i++) {
    row[0] = row[1]; // loads 10, stores 10
    row += 2;
  }
}
