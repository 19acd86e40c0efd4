// A generation of Conway's game of life.
void life(int n, const int *restrict now, int *restrict next)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            int alive = now[(i - 1) * n + j - 1] + now[(i - 1) * n + j] + now[(i - 1) * n + j + 1]
                + now[i * n + j - 1] + now[i * n + j + 1]
                + now[(i + 1) * n + j - 1] + now[(i + 1) * n + j] + now[(i + 1) * n + j + 1];
            if (alive == 3)
                next[i * n + j] = 1;
            else if (alive == 2)
                next[i * n + j] = now[i * n + j];
            else
                next[i * n + j] = 0;
        }
}
