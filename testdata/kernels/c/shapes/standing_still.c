// A loop in which no access moves, with more lines than a small cache has room for: a line that was
// dirty before it is written back in its second iteration, and in no other.
// -P n=20
void standing_still(int n, double *a)
{
  a[0] = 1.0; // stores 1
  for (int t = 0; t < n; t++)
    a[24] += a[8] * a[0] * a[16]; // loads 80, stores 20
}
