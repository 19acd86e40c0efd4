/* Triangles in one row, polynomials, and matrices that a vector stands for. */
void bubble(int n, int *a)
{
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1 - i; j++)
            if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
}

void pascal(int n, long *row)
{
    for (int i = 0; i <= n; i++) {
        row[i] = 1;
        for (int j = i - 1; j > 0; j--)
            row[j] += row[j - 1];
    }
}

void horner(int n, int m, const double *c, const double *x, double *y)
{
    for (int i = 0; i < m; i++) {
        y[i] = c[n];
        for (int k = n - 1; k >= 0; k--)
            y[i] = y[i] * x[i] + c[k];
    }
}

void toeplitz(int n, const double *t, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[i] += t[i - j + n - 1] * x[j];
}
