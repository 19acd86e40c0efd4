// Static integers keep their value from call to call: they are known once they are assigned.
// -P n=6
void statics(int n, double *a)
{
  static int i, j, calls = 0;
  for (i = 0; i < n; i++)
    for (j = i; j < n; j++)
      a[j] += 1.0; // loads 21, stores 21
  if (calls == 0)
    a[0] = 0.0; // stores 0 to 1
  calls++;
}
