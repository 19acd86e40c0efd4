// A loop over a pointer that points into one array or another, by what the data say.
void either(int n, const double *x, double *a, double *b)
{
  double *p = a;
  if (x[0] > 0.0)
    p = b;
  for (double *q = p; q < p + n; q++) // rejects: ambiguous-pointer
    *q = 0.0;
}
