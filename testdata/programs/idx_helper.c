/* Subscripts by a helper function. */
#include <stddef.h>

static inline size_t idx(size_t i, size_t j, size_t n)
{
    return i * n + j;
}

void scale_rows(double *a, const double *s, size_t n, size_t m)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            a[idx(i, j, m)] *= s[i];
}

double trace(const double *a, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += a[idx(i, i, n)];
    return sum;
}
