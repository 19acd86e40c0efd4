// Loops from and to numbers that data determine or that the loop changes: they run within a range of these numbers.
// -P n=4 -P min(k)=2 -P max(last)=7 -P max(*count)=5
void changing_bounds(int n, int *t, int *count, double *a, double *b)
{
  for (int i = 0; i < n; i++) {
    int first = t[i];    // loads 4
    int last = t[i + 1]; // loads 4
    for (int k = first; k < last; k++)
      a[k] = 0.0; // stores 0 to 20
    t[i] = 0;     // stores 4
  }
  for (int i = 0; i < *count; i++) { // loads 1 to 6
    b[i] = 1.0;                      // stores 0 to 5
    if (b[i] > 3.0)                  // loads 0 to 5
      *count = i;                    // stores 0 to 5
  }
}
