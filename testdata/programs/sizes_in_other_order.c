/* Helpers that take the sizes in another order. */
static void scale(double f, double *a, int cols, int rows)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            a[i * cols + j] *= f;
}

static void add(int rows, int cols, double *to, const double *from)
{
    for (int i = 0; i < rows * cols; i++)
        to[i] += from[i];
}

static void zero(double *a, int count)
{
    for (int i = 0; i < count; i++)
        a[i] = 0.0;
}

void combine(int n, int m, double *a, double *b)
{
    zero(a, n * m);
    scale(2.0, b, m, n);
    add(n, m, a, b);
}
