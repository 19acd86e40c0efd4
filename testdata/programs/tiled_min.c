/* A tiled product with MIN at the borders of tiles. */
#include <stdio.h>

#ifndef N
#define N 600
#endif
#define T 32
#define MIN(a, b) ((a) < (b) ? (a) : (b))

static double a[N][N], b[N][N], c[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = b[i][j] = i - j;
    for (int ii = 0; ii < N; ii += T)
        for (int kk = 0; kk < N; kk += T)
            for (int i = ii; i < MIN(ii + T, N); i++)
                for (int k = kk; k < MIN(kk + T, N); k++)
                    for (int j = 0; j < N; j++)
                        c[i][j] += a[i][k] * b[k][j];
    printf("%f\n", c[N - 1][N - 1]);
    return 0;
}
