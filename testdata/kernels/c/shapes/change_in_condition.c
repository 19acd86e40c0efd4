// The condition changes the iterator: what stands before the change compares the value before it.
// -P n=9
void change_in_condition(int n, double *a)
{
  int i;
  for (i = n - 1; i > 0 && i--;)
    a[i] = a[i + 1]; // loads 8, stores 8
  i = n;
  while (i > 2 && i-- > 0)
    a[i] = 0.0; // stores 7
  i = n;
  while (i-- > 0 && i > 2)
    a[i] = 1.0; // stores 6
  i = 0;
  while (i < n && ++i < 5)
    a[i] = 2.0; // stores 4
}
