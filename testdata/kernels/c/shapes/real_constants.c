// Real variables that hold constants decide conditions; what data, bytes or rounding make of them does not.
// -P n=10
// *beta is 0 in the first call and 2 in the second.
static void scale(int n, const double *beta, double *y)
{
  if (*beta == 0)
    for (int i = 0; i < n; i++)
      y[i] = 0.0; // stores 10
  else if (*beta != 1)
    for (int i = 0; i < n; i++)
      y[i] *= *beta; // loads 10, stores 10
}

void real_constants(int n, double *x, double *y)
{
  double beta = 0.0;
  scale(n, &beta, y);
  beta += 2;
  scale(n, &beta, y);

  /* Each iteration but the first finds what the one before left, and the text tells neither. */
  double last = 1;
  for (int i = 0; i < n; i++) {
    if (last == 1)
      x[i] += 1.0; // loads 0 to 10, stores 0 to 10
    last = x[i]; // loads 10
  }

  /* One tenth is not a float. */
  float tenth = 0.1;
  if (tenth == 0.1)
    for (int i = 0; i < n; i++)
      x[i] = y[i]; // loads 0 to 10, stores 0 to 10

  /* -0 equals 0, whichever way it came. */
  double zero = -0.0;
  if (zero != 0)
    for (int i = 0; i < n; i++)
      x[i] = 1.0;

  /* Its bytes are taken for an integer's. */
  double bits = 0;
  *(long *)&bits = 1;
  if (bits == 0)
    for (int i = 0; i < n; i++)
      y[i] = 4.0; // stores 0 to 10

  /* A branch on a size, both arms alike. */
  double same;
  if (n < 5)
    same = 7;
  else
    same = 7;
  if (same == 7)
    for (int i = 0; i < n; i++)
      y[i] = same; // stores 10
}
