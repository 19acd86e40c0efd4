static long LETTERfirst(int n, int inc) { return inc < 0 ? (1L - n) * inc : 0; }
void cblas_LETTERaxpy(int n, REAL a, const REAL *x, int incx, REAL *y, int incy)
{
  const long ix = LETTERfirst(n, incx), iy = LETTERfirst(n, incy);
  for (int i = 0; i < n; i++)
    y[iy + (long)i * incy] += a * x[ix + (long)i * incx];
}
void cblas_LETTERscal(int n, REAL a, REAL *x, int incx)
{
  if (incx > 0)
    for (int i = 0; i < n; i++)
      x[(long)i * incx] *= a;
}
void cblas_LETTERcopy(int n, const REAL *x, int incx, REAL *y, int incy)
{
  const long ix = LETTERfirst(n, incx), iy = LETTERfirst(n, incy);
  for (int i = 0; i < n; i++)
    y[iy + (long)i * incy] = x[ix + (long)i * incx];
}
void cblas_LETTERswap(int n, REAL *x, int incx, REAL *y, int incy)
{
  const long ix = LETTERfirst(n, incx), iy = LETTERfirst(n, incy);
  for (int i = 0; i < n; i++) {
    REAL t = x[ix + (long)i * incx];
    x[ix + (long)i * incx] = y[iy + (long)i * incy];
    y[iy + (long)i * incy] = t;
  }
}
REAL cblas_LETTERdot(int n, const REAL *x, int incx, const REAL *y, int incy)
{
  const long ix = LETTERfirst(n, incx), iy = LETTERfirst(n, incy);
  REAL sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[ix + (long)i * incx] * y[iy + (long)i * incy];
  return sum;
}
REAL cblas_LETTERnrm2(int n, const REAL *x, int incx)
{
  REAL sum = 0;
  if (incx > 0)
    for (int i = 0; i < n; i++) {
      REAL t = x[(long)i * incx];
      sum += t * t;
    }
  return sum;
}
REAL cblas_LETTERasum(int n, const REAL *x, int incx)
{
  REAL sum = 0;
  if (incx > 0)
    for (int i = 0; i < n; i++) {
      REAL t = x[(long)i * incx];
      sum += t < 0 ? -t : t;
    }
  return sum;
}
unsigned long cblas_iLETTERamax(int n, const REAL *x, int incx)
{
  unsigned long at = 0;
  REAL most = -1;
  if (incx > 0)
    for (int i = 0; i < n; i++) {
      REAL t = x[(long)i * incx];
      if (t > most)
        at = i;
    }
  return at;
}
void cblas_LETTERrot(int n, REAL *x, int incx, REAL *y, int incy, REAL c, REAL s)
{
  const long ix = LETTERfirst(n, incx), iy = LETTERfirst(n, incy);
  for (int i = 0; i < n; i++) {
    REAL t = c * x[ix + (long)i * incx] + s * y[iy + (long)i * incy];
    y[iy + (long)i * incy] = c * y[iy + (long)i * incy] - s * x[ix + (long)i * incx];
    x[ix + (long)i * incx] = t;
  }
}
void LETTERaxpy_(const int *n, const REAL *a, const REAL *x, const int *incx, REAL *y, const int *incy)
{
  cblas_LETTERaxpy(*n, *a, x, *incx, y, *incy);
}
void LETTERscal_(const int *n, const REAL *a, REAL *x, const int *incx)
{
  cblas_LETTERscal(*n, *a, x, *incx);
}
void LETTERcopy_(const int *n, const REAL *x, const int *incx, REAL *y, const int *incy)
{
  cblas_LETTERcopy(*n, x, *incx, y, *incy);
}
void LETTERswap_(const int *n, REAL *x, const int *incx, REAL *y, const int *incy)
{
  cblas_LETTERswap(*n, x, *incx, y, *incy);
}
REAL LETTERdot_(const int *n, const REAL *x, const int *incx, const REAL *y, const int *incy)
{
  return cblas_LETTERdot(*n, x, *incx, y, *incy);
}
REAL LETTERnrm2_(const int *n, const REAL *x, const int *incx)
{
  return cblas_LETTERnrm2(*n, x, *incx);
}
REAL LETTERasum_(const int *n, const REAL *x, const int *incx)
{
  return cblas_LETTERasum(*n, x, *incx);
}
int iLETTERamax_(const int *n, const REAL *x, const int *incx)
{
  return 1 + (int)cblas_iLETTERamax(*n, x, *incx);
}
void LETTERrot_(const int *n, REAL *x, const int *incx, REAL *y, const int *incy, const REAL *c, const REAL *s)
{
  cblas_LETTERrot(*n, x, *incx, y, *incy, *c, *s);
}
