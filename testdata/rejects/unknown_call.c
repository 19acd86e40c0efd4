// A function that is only declared, and is given an array.
void relax(double *row);

void call_it(int n, double a[n][n])
{
  for (int i = 0; i < n; i++)
    relax(a[i]); // rejects: unknown-call
}
