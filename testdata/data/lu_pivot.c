// LU factorisation with partial pivoting.
void lu_pivot(int n, double *restrict a, int *restrict pivot)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        double most = a[k * n + k] < 0 ? -a[k * n + k] : a[k * n + k];
        for (int i = k + 1; i < n; i++) {
            double x = a[i * n + k] < 0 ? -a[i * n + k] : a[i * n + k];
            if (x > most) {
                most = x;
                p = i;
            }
        }
        pivot[k] = p;
        if (p != k)
            for (int j = 0; j < n; j++) {
                double x = a[k * n + j];
                a[k * n + j] = a[p * n + j];
                a[p * n + j] = x;
            }
        for (int i = k + 1; i < n; i++) {
            a[i * n + k] /= a[k * n + k];
            for (int j = k + 1; j < n; j++)
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
        }
    }
}
