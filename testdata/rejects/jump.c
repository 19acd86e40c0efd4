// Control that leaves a loop early.
void find_negative(int n, const double *a, double *b)
{
  for (int i = 0; i < n; i++) {
    if (a[i] < 0.0)
      break; // rejects: jump
    b[i] = a[i];
  }
}

void leave_both(int n, double a[n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (a[i][j] < 0.0)
        goto done; // rejects: jump
      a[i][j] = 0.0;
    }
done:
  return;
}
