// Each iteration ends with pointers exchanged: two, three, those of a function's arguments, and again by
// loops around.
// -P n=10
static void sweep(int n, double *to, const double *from)
{
  for (int i = 1; i < n - 1; i++)
    to[i] = from[i - 1] + from[i + 1]; // loads 128, stores 64
}

static void swap(double **p, double **q)
{
  double *old = *p;
  *p = *q;
  *q = old;
}

void exchanged_pointers(int n, double *a, double *b, double *c)
{
  double *spare, *last = a;
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < n; i++)
      b[i] = a[i]; // loads 30, stores 30
    spare = a;
    a = b;
    b = spare;
  }
  for (int i = 0; i < n; i++)
    spare[i] += last[i]; // loads 20, stores 10
  for (int t = 0; t < 4; t++) {
    c[t] = a[t] + b[t]; // loads 8, stores 4
    double *first = a;
    a = b;
    b = c;
    c = first;
  }
  for (int s = 0; s < 2; s++) {
    for (int t = 0; t < 4; t++) {
      sweep(n, b, a);
      swap(&a, &b);
    }
    last[s] = a[s]; // loads 2, stores 2
    last = a;
    swap(&b, &c);
  }
  last[0] = 0.0; // stores 1
}
