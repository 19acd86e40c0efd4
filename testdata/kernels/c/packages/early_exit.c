/* Loops that data end early: every access is possible, at most as often as the header says. */
int early_exit(int n, const double *x, double *y)
{
  for (int i = 0; i < n; i++) {
    if (x[i] > 3.0)
      break;
    y[i] = x[i];
  }
  for (int i = 0; i < n; i++) {
    y[i] += 1.0;
    if (y[i] > 4.0) {
      if (x[i] < 0.0)
        break;
      y[i] = 4.0;
    }
    y[i] *= 2.0;
  }
  for (int i = 0; i < n; i++) {
    if (y[i] > 1.0e6)
      goto end;
    if (x[i] > 5.0)
      return i;
    y[i] = 0.0;
  }
end:
  y[0] = 1.0;
  return n;
}
