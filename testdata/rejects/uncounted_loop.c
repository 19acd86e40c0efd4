// The number of iterations is loaded from memory, or decided by what the loop computes.
void bound_from_memory(int n, int *length, double *a)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < length[i]; j++) { // rejects: uncounted-loop
      a[j] += 1.0;
      length[j] -= 1;
    }
}

void until_small(int n, double *error, double *a)
{
  int i = 0;
  while (error[0] > 0.001) { // rejects: uncounted-loop
    a[i] = 0.5 * a[i];
    i = (i + 1) % n;
  }
}
