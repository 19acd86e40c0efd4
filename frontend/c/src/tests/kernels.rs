//! Whole kernels.

use super::check;

#[test]
fn matrix_multiplication() {
    check(
        "
        void gemm(int ni, int nj, int nk, double alpha, double beta,
                  double C[ni][nj], double A[ni][nk], double B[nk][nj])
        {
          int i, j, k;
          for (i = 0; i < ni; i++) {
            for (j = 0; j < nj; j++)
              C[i][j] *= beta;
            for (k = 0; k < nk; k++)
              for (j = 0; j < nj; j++)
                C[i][j] += alpha * A[i][k] * B[k][j];
          }
        }
        ",
        "
        function gemm
          size ni
          size nj
          size nk
          array C parameter, elements of 8, ends at 8 * nj * ni
          array A parameter, elements of 8, ends at 8 * nk * ni
          array B parameter, elements of 8, ends at 8 * nj * nk
          loop i = 0; i < ni; i += 1
            loop j = 0; j < nj; j += 1
              load C + 8 * nj * i + 8 * j   C[i][j]
              store C + 8 * nj * i + 8 * j   C[i][j]
            loop k = 0; k < nk; k += 1
              loop j = 0; j < nj; j += 1
                load C + 8 * nj * i + 8 * j   C[i][j]
                load A + 8 * nk * i + 8 * k   A[i][k]
                load B + 8 * nj * k + 8 * j   B[k][j]
                store C + 8 * nj * i + 8 * j   C[i][j]
        ",
    );
}
