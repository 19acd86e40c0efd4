/* Loops that end by a break on a counter. */
void fill(int n, double *a)
{
    int i = 0;
    for (;;) {
        if (i >= n)
            break;
        a[i] = 0.0;
        i++;
    }
}

void relax(int steps, int n, double *a, double *b)
{
    int t = 0;
    while (1) {
        for (int i = 1; i < n - 1; i++)
            b[i] = (a[i - 1] + a[i + 1]) / 2;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        if (++t == steps)
            break;
    }
}

void down(int n, double *a)
{
    do {
        a[--n] = 0.0;
    } while (n > 0);
}
