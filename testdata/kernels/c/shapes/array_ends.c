// Pointers to the end of an array whose start is another parameter.
// -P e - x=30
double array_ends(const double *x, const double *e, double *y)
{
  double s = 0.0;
  for (const double *p = x; p != e; ++p)
    s += *p; // loads 30
  for (const double *p = e; x < p; p--)
    s += p[-1]; // loads 30
  while (x < e) {
    *y++ = *x; // loads 8, stores 8
    x += 4;
  }
  return s;
}
