/* A product of matrix and vector that is checked against a plain one; a difference ends the program. */
#include <math.h>
#include <stdio.h>

#define M 300
#ifndef N
#define N 200
#endif

static double a[M][N], x[N], y[M], z[M];

static void gemv(void)
{
    for (int i = 0; i < M; i++) {
        double sum = 0.0;
        for (int j = 0; j < N; j++)
            sum += a[i][j] * x[j];
        y[i] = sum;
    }
}

static void plain(void)
{
    for (int i = 0; i < M; i++)
        z[i] = 0.0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++)
            z[i] += a[i][j] * x[j];
}

int main(void)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = 1.0 / (i + j + 1);
    for (int j = 0; j < N; j++)
        x[j] = j % 7;
    gemv();
    plain();
    for (int i = 0; i < M; i++)
        if (fabs(y[i] - z[i]) > 1e-9) {
            printf("row %d: %g and %g\n", i, y[i], z[i]);
            return 1;
        }
    printf("a[2][30] is %g, x[100] is %g\n", a[2][30], x[100]);
    return 0;
}
