/* LU in place with a determinant from the diagonal, sized by a macro. */
#include <stdio.h>

#ifndef N
#define N 256
#endif

double A[N][N];

static void lu(void)
{
    for (int k = 0; k < N; k++)
        for (int i = k + 1; i < N; i++) {
            A[i][k] /= A[k][k];
            for (int j = k + 1; j < N; j++)
                A[i][j] -= A[i][k] * A[k][j];
        }
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = i == j ? N : 1.0 / (1 + i + j);
    lu();
    double det = 1.0;
    for (int i = 0; i < N; i++)
        det *= A[i][i];
    printf("%g, first row %g %g %g %g\n", det, A[0][0], A[0][1], A[0][2], A[0][3]);
    return 0;
}
