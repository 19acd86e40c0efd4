// The kernel is written by macros; references are where the macros are used.
#define N 6
#define AT(m, r, c) m[(r) * N + (c)]
#define FOR(v, n) for (int v = 0; v < (n); v++)

void macros(double *a, double *b)
{
  FOR(i, N)
    FOR(j, N)
      AT(a, i, j) = AT(b, j, i); // loads 36, stores 36
}
