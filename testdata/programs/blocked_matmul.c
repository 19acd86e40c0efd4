/* Matrix multiplication in tiles, the last ones cut off at the edge. */
#define TILE 32
#define MIN(a, b) ((a) < (b) ? (a) : (b))

void matmul(int n, const double *a, const double *b, double *c)
{
    for (int ii = 0; ii < n; ii += TILE)
        for (int kk = 0; kk < n; kk += TILE)
            for (int jj = 0; jj < n; jj += TILE)
                for (int i = ii; i < MIN(ii + TILE, n); i++)
                    for (int k = kk; k < MIN(kk + TILE, n); k++)
                        for (int j = jj; j < MIN(jj + TILE, n); j++)
                            c[i * n + j] += a[i * n + k] * b[k * n + j];
}

void vector(int n, double *a, double *b)
{
    for (int ii = 0; ii < n; ii += TILE) {
        int end = MIN(ii + TILE, n);
        for (int i = ii; i < end; i++)
            a[i] = 2 * b[i];
        for (int i = ii; i < end; i++)
            a[i] += b[i];
    }
}

void copy_tiles(int n, int m, const double *a, double *b)
{
    for (int ii = 0; ii < n; ii += 16)
        for (int jj = 0; jj < m; jj += 16)
            for (int i = ii; i < MIN(ii + 16, n); i++)
                for (int j = jj; j < MIN(jj + 16, m); j++)
                    b[j * n + i] = a[i * m + j];
}
