/* Filters: kernels flipped, with and without edges. */
void valid(int n, int k, const double *x, const double *h, double *y)
{
    for (int i = 0; i + k <= n; i++) {
        double s = 0.0;
        for (int j = 0; j < k; j++)
            s += x[i + j] * h[k - 1 - j];
        y[i] = s;
    }
}

void blur3x3(int h, int w, const float *in, float *out)
{
    static const float k[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            float s = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    s += k[1 - dy][1 - dx] * in[(y + dy) * w + x + dx];
            out[y * w + x] = s / 16;
        }
}

void clamp_blur(int n, const float *in, float *out)
{
    for (int i = 0; i < n; i++) {
        int l = i > 0 ? i - 1 : 0;
        int r = i < n - 1 ? i + 1 : n - 1;
        out[i] = (in[l] + in[i] + in[r]) / 3;
    }
}
