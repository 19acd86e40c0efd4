/* Periodic boundaries. */
void ring(int n, const double *a, double *b)
{
    for (int i = 0; i < n; i++)
        b[i] = a[(i + 1) % n] + a[(i + n - 1) % n] - 2.0 * a[i];
}

void torus(int n, int m, const double *a, double *b)
{
    for (int i = 0; i < n; i++) {
        int up = i == 0 ? n - 1 : i - 1, down = i == n - 1 ? 0 : i + 1;
        for (int j = 0; j < m; j++) {
            int left = j == 0 ? m - 1 : j - 1, right = j == m - 1 ? 0 : j + 1;
            b[i * m + j] = a[up * m + j] + a[down * m + j] + a[i * m + left] + a[i * m + right];
        }
    }
}

void torus_mod(int n, double a[n][n], double b[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = a[(i + 1) % n][j] + a[(i - 1 + n) % n][j] + a[i][(j + 1) % n] + a[i][(j - 1 + n) % n];
}
