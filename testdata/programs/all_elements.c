/* One loop over all elements, then rows. */
void normalise(int rows, int cols, double *a, double *sums)
{
    int count = rows * cols;
    for (int i = 0; i < count; i++)
        a[i] = a[i] * a[i];
    for (int i = 0; i < rows; i++) {
        sums[i] = 0.0;
        for (int j = 0; j < cols; j++)
            sums[i] += a[i * cols + j];
    }
}

void clear(int n, int m, float *a)
{
    for (int i = 0; i < n * m; i++)
        a[i] = 0.0f;
}

void copy(int n, const double *a, double *b)
{
    for (int i = 0; i < n * n; i++)
        b[i] = a[i];
}
