/* Arrays that are set and copied by the library. */
#include <string.h>

void refresh(size_t n, float *a, const float *b)
{
    memset(a, 0, n * sizeof(float));
    for (size_t i = 0; i < n; ++i)
        a[i] += b[i];
    memcpy(a, b, n * sizeof *a);
}
