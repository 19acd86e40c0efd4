/* Bytes of images. */
void downsample(int h, int w, const unsigned char *in, unsigned char *out)
{
    for (int y = 0; y < h / 2; y++)
        for (int x = 0; x < w / 2; x++)
            out[y * (w / 2) + x] = (in[2 * y * w + 2 * x] + in[2 * y * w + 2 * x + 1] + in[(2 * y + 1) * w + 2 * x] + in[(2 * y + 1) * w + 2 * x + 1]) / 4;
}

void grey(int h, int w, const unsigned char *rgb, unsigned char *out)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int k = (y * w + x) * 3;
            out[y * w + x] = (rgb[k] * 77 + rgb[k + 1] * 150 + rgb[k + 2] * 29) >> 8;
        }
}

void grey1(int n, const unsigned char *rgb, unsigned char *out)
{
    for (int i = 0; i < n; i++)
        out[i] = (rgb[3 * i] + rgb[3 * i + 1] + rgb[3 * i + 2]) / 3;
}
