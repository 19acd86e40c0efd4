// The variable that the condition compares is stepped where it is used.
// -P n=30
void steps_in_expressions(int n, double *p, double *q)
{
  const double *from = p, *end = p + n;
  double *to = q;
  while (from != end)
    *to++ = *from++; // loads 30, stores 30
  int k = 0;
  while (k < n)
    q[k++] += 1.0; // loads 30, stores 30
  while (0 < k) {
    p[--k] = 0.0; // stores 30
  }
}
