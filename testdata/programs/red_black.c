/* Every other point in turn. */
void redblack(int n, double *u)
{
    for (int c = 0; c < 2; c++)
        for (int i = 1 + c; i < n - 1; i += 2)
            u[i] = 0.5 * (u[i - 1] + u[i + 1]);
}
