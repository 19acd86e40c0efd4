// A pointer that points into one array or another, by what the data say.
void either(int n, const double *x, double *a, double *b)
{
  double *p = a;
  if (x[0] > 0.0)
    p = b;
  for (int i = 0; i < n; i++)
    p[i] = 0.0; // rejects: ambiguous-pointer
}
