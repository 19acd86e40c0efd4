/* Both ends move. */
#include <stddef.h>
void reverse(int n, double *a)
{
    int lo = 0, hi = n - 1;
    while (lo < hi) {
        double t = a[lo];
        a[lo++] = a[hi];
        a[hi--] = t;
    }
}

void reverse_for(int n, int *a)
{
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
}

int palindrome(int n, const int *a)
{
    int same = 1;
    for (int i = 0; i < n / 2; i++)
        same &= a[i] == a[n - 1 - i];
    return same;
}

void reverse_rows(int n, int m, double *a)
{
    for (int i = 0; i < n; i++)
        for (int l = 0, r = m - 1; l < r; l++, r--) {
            double t = a[i * m + l];
            a[i * m + l] = a[i * m + r];
            a[i * m + r] = t;
        }
}
