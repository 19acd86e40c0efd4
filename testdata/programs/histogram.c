/* Data decide where: bounds. */
#define BINS 256

void histogram(int n, const unsigned char *pixels, unsigned counts[BINS])
{
    for (int b = 0; b < BINS; b++)
        counts[b] = 0;
    for (int i = 0; i < n; i++)
        counts[pixels[i]]++;
}
