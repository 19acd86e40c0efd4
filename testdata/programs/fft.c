/* Butterflies over powers of two. */
void fft(int n, double *re, double *im, const double *wr, const double *wi)
{
    for (int len = 2; len <= n; len <<= 1) {
        int half = len / 2, step = n / len;
        for (int i = 0; i < n; i += len)
            for (int j = 0; j < half; j++) {
                double tr = re[i + j + half] * wr[j * step] - im[i + j + half] * wi[j * step];
                double ti = re[i + j + half] * wi[j * step] + im[i + j + half] * wr[j * step];
                re[i + j + half] = re[i + j] - tr;
                im[i + j + half] = im[i + j] - ti;
                re[i + j] += tr;
                im[i + j] += ti;
            }
    }
}
