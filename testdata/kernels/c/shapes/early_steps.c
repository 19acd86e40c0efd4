// The step stands first in the body, and what follows sees the variable after it.
// -P n=10
void early_steps(int n, double *a, double *b)
{
  int i = 0, j = 0, k = n;
  while (i < n) {
    i++;
    a[i] = b[i - 1] + b[i]; // loads 20, stores 10
  }
  while (k > 1) {
    k = k - 2;
    for (int l = 0; l < k; l++)
      b[k] += a[l]; // loads 40, stores 20
  }
  do {
    a[j] = 0; // stores 10
    j += 1;
    a[j] = a[j] + b[0]; // loads 20, stores 10
  } while (j < n);
}
