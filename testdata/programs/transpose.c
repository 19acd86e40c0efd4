/* Transpositions: out of place, in place, and in blocks. */
#define BLOCK 16

void transpose(int n, int m, const double *in, double *out)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            out[j * n + i] = in[i * m + j];
}

void transpose_in_place(int n, double a[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double t = a[i][j];
            a[i][j] = a[j][i];
            a[j][i] = t;
        }
}

void transpose_blocks(int n, const double *in, double *out)
{
    for (int ii = 0; ii < n; ii += BLOCK)
        for (int jj = 0; jj < n; jj += BLOCK)
            for (int i = ii; i < ii + BLOCK && i < n; i++)
                for (int j = jj; j < jj + BLOCK && j < n; j++)
                    out[j * n + i] = in[i * n + j];
}
