// Pointers that a branch chooses, null pointers, and returns from within branches.
// -P n=20 -P m=0

static double *pick(int m, double *a)
{
  if (m < 0) {
    if (m < -1)
      return 0;
    else if (m == -1)
      return a + 1;
  }
  return a;
}

static void set(double *a, int n, int i)
{
  if (n > 0) {
    if (i >= n)
      return;
  }
  a[i] = 1.0; // stores 20
}

void chosen_pointers(int n, int m, double *a, double *b)
{
  double *p = m ? a : b + 2;
  for (int i = 0; i < n; i++)
    p[i] += a[i]; // loads 40, stores 20
  double *q = 0;
  if (m)
    q = a;
  if (q)
    for (int i = 0; i < n; i++)
      q[i] = 0.0; // stores 0
  q = pick(m - 2, a);
  if (q != 0)
    for (int i = 0; i < n; i++)
      q[i] = 0.0; // stores 0
  q = pick(m - 1, a);
  if (q != 0)
    for (int i = 0; i < n; i++)
      q[i] = 0.0; // stores 20
  for (int i = 0; i < n + 5; i++)
    set(a, n, i);
}
