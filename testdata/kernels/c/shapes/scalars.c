// Scalars live in registers; scalars computed from iterators are followed.
// -P n=18
void scalars(int n, double *a, double *out)
{
  double sum = 0.0;
  int last = 0;
  for (int i = 0; i < n; i++) {
    int half = i / 2;
    sum += a[half]; // loads 18
    last = 2 * i;
  }
  out[last] = sum; // stores 1
}
