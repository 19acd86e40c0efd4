/* A lower triangle packed by rows. */
#define P(i, j) p[(i) * ((i) + 1) / 2 + (j)]

void pack(int n, const double *a, double *p)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            P(i, j) = a[i * n + j];
}

void solve(int n, const double *p, double *x)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            x[i] -= P(i, j) * x[j];
        x[i] /= P(i, i);
    }
}
