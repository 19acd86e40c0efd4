/* From a fine grid to a coarse one. */
void restrict_grid(int n, const double *fine, double *coarse)
{
    for (int i = 1; i < n - 1; i++)
        coarse[i] = 0.25 * (fine[2 * i - 1] + 2 * fine[2 * i] + fine[2 * i + 1]);
}
