// A search through an array of constant length ends inside of it, upwards or downwards.
// -P n=4
void searches(int n, int *t, double *a)
{
  int count[40];
  for (int i = 0; i < 40; i++)
    count[i] = t[i]; // loads 40, stores 40
  for (int i = 0; i < n; i++) {
    int d = 1;
    while (count[d] + 2 > n) // loads 4 to 156
      d++;
    a[i] = d; // stores 4
  }
  int last = 40;
  while (0 < count[last - 1]) // loads 1 to 40
    last--;
  a[n] = last; // stores 1
}
