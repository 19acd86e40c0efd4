// Text that is no C; what stands beside it is read all the same.
void broken(int n, double *a)
{
  for (int i = 0; i < n; i++)
    a[i] = 1.0 + ; // rejects: syntax
}

void sound(int n, double *a)
{
  for (int i = 0; i < n; i++)
    a[i] = 1.0;
}
