/* While loops, upwards and downwards. */
void prefix_sums(int n, double *a)
{
    int i = 1;
    while (i < n) {
        a[i] += a[i - 1];
        i++;
    }
}

void reverse(int n, double *a)
{
    int lo = 0, hi = n - 1;
    while (lo < hi) {
        double t = a[lo];
        a[lo] = a[hi];
        a[hi] = t;
        lo++;
        hi--;
    }
}

double dot(int n, const double *x, const double *y)
{
    double s = 0;
    while (n--)
        s += *x++ * *y++;
    return s;
}
