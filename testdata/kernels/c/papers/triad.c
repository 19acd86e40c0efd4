/* a = b + scalar c. */
#ifndef N
#define N 1000000
#endif

void kernel_triad(double a[N], double b[N], double c[N], double scalar)
{
  for (int j = 0; j < N; j++)
    a[j] = b[j] + scalar * c[j];
}
