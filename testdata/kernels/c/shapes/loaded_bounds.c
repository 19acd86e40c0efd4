// Loops from and to numbers that an array holds: their iterations are among those from the least of the
// numbers to the greatest.
// -P n=4 -P min(first[i])=2 -P max(first[i])=7 -P min(last[i])=1 -P max(last[i])=10
void loaded_bounds(int n, const int *first, const int *last, double *a)
{
  for (int i = 0; i < n; i++)
    for (int k = first[i]; k < last[i]; k++) // loads 8 to 40
      a[k] = 0.0;                            // stores 0 to 32
  for (int i = 0; i < n; i++)
    for (int k = last[i] - 1; first[i] <= k; k--) // loads 8 to 40
      a[k] = 1.0;                                 // stores 0 to 32
  for (int i = 0; i < n; i++)
    for (int k = 0; k < last[i]; k += 3) // loads 4 to 20
      a[k] = 2.0;                        // stores 0 to 16
}
