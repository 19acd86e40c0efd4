// The number of iterations is decided by what the loop computes.
void until_small(int n, double *error, double *a)
{
  int i = 0;
  while (error[0] > 0.001) { // rejects: uncounted-loop
    a[i] = 0.5 * a[i];
    i = (i + 1) % n;
  }
}
