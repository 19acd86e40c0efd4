// Loops without an iteration, and one whose first access never happens.
// -P n=5
void empty(int n, double *a)
{
  for (int i = n; i < n; i++)
    a[i] = 0.0; // none
  for (int i = 0; i < n; i++)
    for (int j = 1; j < i - 2; j++)
      a[j] += a[i]; // loads 2, stores 1
  for (int i = 0; i > n; i--)
    a[i] = 0.0; // none
}
