/* Column-major matrices with leading dimensions, by macros. */
#define A(i, j) a[(j) * lda + (i)]
#define B(i, j) b[(j) * ldb + (i)]
#define C(i, j) c[(j) * ldc + (i)]

void dgemm_nn(int m, int n, int k, double alpha, const double *a, int lda, const double *b, int ldb,
              double beta, double *c, int ldc)
{
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++)
            C(i, j) *= beta;
        for (int l = 0; l < k; l++)
            for (int i = 0; i < m; i++)
                C(i, j) += alpha * A(i, l) * B(l, j);
    }
}
