// Unsigned iterators of 32 and 64 bits.
// -P n=20
#include <stddef.h>

void unsigned_iterators(size_t n, double *a, double *b)
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++)
      a[i] += b[j]; // loads 380, stores 190
  for (unsigned k = 0; k < n; ++k)
    b[n - 1 - k] = a[k]; // loads 20, stores 20
}
