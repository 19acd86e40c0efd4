/* Life on a torus: remainders in subscripts. */
#ifndef N
#define N 128
#endif

static unsigned char cells[N][N], born[N][N];

void generation(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int up = (i + N - 1) % N, down = (i + 1) % N;
            int left = (j + N - 1) % N, right = (j + 1) % N;
            int around = cells[up][left] + cells[up][j] + cells[up][right] + cells[i][left]
                + cells[i][right] + cells[down][left] + cells[down][j] + cells[down][right];
            born[i][j] = around == 3 || (around == 2 && cells[i][j]);
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            cells[i][j] = born[i][j];
}
