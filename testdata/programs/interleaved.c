/* Two numbers at a time. */
void interleave(int n, const float *l, const float *r, float *out)
{
    for (int i = 0; i < n; i++) { out[2 * i] = l[i]; out[2 * i + 1] = r[i]; }
}

void complex_mul(int n, const double *a, const double *b, double *c)
{
    for (int i = 0; i < 2 * n; i += 2) {
        c[i] = a[i] * b[i] - a[i + 1] * b[i + 1];
        c[i + 1] = a[i] * b[i + 1] + a[i + 1] * b[i];
    }
}
