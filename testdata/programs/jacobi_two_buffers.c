/* A stencil with two static grids, copied back, until its result is summed. */
#include <stdio.h>

#ifndef N
#define N 400
#endif
#ifndef STEPS
#define STEPS 20
#endif

static float grid[N][N], next[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            grid[i][j] = (i == 0 || j == 0) ? 100.0f : 0.0f;
}

int main(void)
{
    init();
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                next[i][j] = 0.25f * (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]);
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                grid[i][j] = next[i][j];
    }
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += grid[i][j];
    printf("sum %f, middle %f, near the corner %f\n", sum, grid[N / 2][N / 2], grid[3][3]);
    return 0;
}
