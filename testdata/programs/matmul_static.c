/* Static square matrices, filled, multiplied, and one element printed. */
#include <stdio.h>

#ifndef N
#define N 512
#endif

static double A[N][N], B[N][N], C[N][N];

int main(void)
{
    int i, j, k;

    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++) {
            A[i][j] = (double)(i * j) / N;
            B[i][j] = (double)(i + j) / N;
            C[i][j] = 0.0;
        }

    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            for (k = 0; k < N; k++)
                C[i][j] += A[i][k] * B[k][j];

    printf("%f %f %f\n", C[0][7], C[5][7], C[N - 1][7]);
    return 0;
}
