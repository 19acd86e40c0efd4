// The test stands at the end: there is one iteration at least.
// -P n=7 -P m=0
void do_while(int n, int m, double *a, double *b)
{
  int i = 0;
  do {
    a[i] = 0.0; // stores 7
    i++;
  } while (i < n);
  i = 0;
  do {
    a[i] += 1.0; // loads 1, stores 1
  } while (++i < m);
  do {
    if (i == 5)
      continue;
    b[i] = a[i]; // loads 6, stores 6
  } while (i++ < n);
  do
    b[n] = 2.0; // stores 7
  while (--n);
  unsigned k = 3;
  do {
    k--;
    a[k] = b[k]; // loads 1, stores 1
  } while (0);
  k = 4;
  do {
    b[k] = 1.0; // stores 5
  } while (k-- > 0);
  double *end = a + 6;
  do {
    *a = 3.0; // stores 3
    a += 2;
  } while (a != end);
}
