/* Row-major elements by a macro with the leading dimension of the file. */
#define A(i, j) a[(i) * lda + (j)]

void dsyrk_lower(int n, const double *a, int lda, double *c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double s = 0.0;
            for (int k = 0; k < n; k++)
                s += A(i, k) * A(j, k);
            c[i * n + j] = s;
        }
}
