// What the program's data decide: bounds of loops, subscripts, and whether there is an access.
void data(int n, const int *p, double *x)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < p[i]; j++) // reason: data-bound
      x[j] = 0.0;
  for (int i = 0; i < n; i++)
    x[p[i]] = 0.0; // reason: data-subscript
  for (int i = 0; i < n; i++)
    if (p[i])
      x[i] = 0.0; // reason: data-guard
}
