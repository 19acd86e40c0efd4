/* A loop until convergence: data decide how often. */
#include <math.h>
#include <stdio.h>

#ifndef N
#define N 100
#endif

static double A[N][N], x[N], y[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = 1.0;
        for (int j = 0; j < N; j++)
            A[i][j] = 1.0 / (1 + i + j);
    }
    double before = 0.0, value = 1.0;
    int steps = 0;
    while (fabs(value - before) > 1e-10 && steps < 1000) {
        before = value;
        for (int i = 0; i < N; i++) {
            y[i] = 0.0;
            for (int j = 0; j < N; j++)
                y[i] += A[i][j] * x[j];
        }
        value = 0.0;
        for (int i = 0; i < N; i++)
            value = fmax(value, fabs(y[i]));
        for (int i = 0; i < N; i++)
            x[i] = y[i] / value;
        steps++;
    }
    printf("%d steps: %g\n", steps, value);
    return 0;
}
