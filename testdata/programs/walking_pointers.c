/* Pointers that walk. */
void walk(int n, const double *p, double *q)
{
    const double *end = p + n;
    while (p != end)
        *q++ = *p++;
}

void walk2(const double *p, int n, double *q)
{
    while (n--)
        *q++ = 2.0 * *p++;
}
