/* Results by pointers to scalars. */
void statistics(int n, const double *x, double *mean, double *variance)
{
    *mean = 0.0;
    for (int i = 0; i < n; i++)
        *mean += x[i];
    *mean /= n;
    *variance = 0.0;
    for (int i = 0; i < n; i++)
        *variance += (x[i] - *mean) * (x[i] - *mean);
    *variance /= n - 1;
}

void sum_rows(int n, int m, const double *a, double *total)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            *total += a[i * m + j];
}
