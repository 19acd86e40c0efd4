// Calls that never return: sizes decide where the program ends. Data decide too: that is assumed not to happen.
// -P n=30 -P m=12
void exit(int);
void abort(void);
_Noreturn void fail(const char *text, int i);
static void give_up(int i)
{
  fail("too many", i);
}
void ends_on_sizes(int n, int m, double *a, double *x)
{
  for (int i = 0; i < m; i++) {
    if (i >= n)
      exit(1);
    a[i] = 0.0; // stores 12
  }
  for (int i = 0; i < n; i++) {
    if (x[i] < 0.0) // loads 30
      abort();
    a[i] = 1.0; // stores 30
  }
  for (int i = 0; i < n; i++) {
    a[i] = 2.0; // stores 13
    if (i == m) {
      a[0] = 3.0; // stores 1
      give_up(i);
    }
    x[i] = 2.0; // stores 12
  }
  for (int i = 0; i < n; i++)
    a[i] = 4.0;
}
