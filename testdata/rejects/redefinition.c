// A function that is defined twice in the same words, as by a header without an include guard.
void ones(int n, double *a) // counted
{
  for (int i = 0; i < n; i++)
    a[i] = 1.0;
}

void ones(int n, double *a) // rejects: redefinition
{
  for (int i = 0; i < n; i++)
    a[i] = 1.0;
}
