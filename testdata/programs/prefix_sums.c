/* Prefix sums, forwards and backwards. */
#include <stddef.h>

void inclusive(size_t n, const long *in, long *out)
{
    if (n == 0)
        return;
    out[0] = in[0];
    for (size_t i = 1; i < n; i++)
        out[i] = out[i - 1] + in[i];
}

void suffix(size_t n, long *a)
{
    for (size_t i = n; i-- > 0;)
        if (i + 1 < n)
            a[i] += a[i + 1];
}

void back(size_t n, double *a, const double *b)
{
    for (size_t i = n - 1; i < n; i--)
        a[i] = b[i];
}

void exclusive(int n, const int *in, int *out)
{
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        out[i] = sum;
        sum += in[i];
    }
}

void table2d(int h, int w, const int *img, int *sat)
{
    for (int y = 0; y < h; y++) {
        int row = 0;
        for (int x = 0; x < w; x++) {
            row += img[y * w + x];
            sat[y * w + x] = row + (y > 0 ? sat[(y - 1) * w + x] : 0);
        }
    }
}
