// Both ends of a range move towards each other.
// -P n=29
void both_ends(int n, double *a, double *b)
{
  int lo = 0, hi = n - 1;
  while (lo < hi) {
    double t = a[lo]; // loads 14
    a[lo++] = a[hi]; // loads 14, stores 14
    a[hi--] = t; // stores 14
  }
  for (int i = n - 1, j = 0; i > j; i--, j++)
    a[i] += b[j]; // loads 28, stores 14
  for (int i = 0, j = n - 1; i <= j; j--, i++)
    b[i] = b[j]; // loads 15, stores 15
  for (int i = 0, j = n - 1; i < j; i++, j -= 2)
    a[i] += 1.0; // loads 10, stores 10
}
