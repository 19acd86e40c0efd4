// Makes a picture black and white.
void threshold(int n, double limit, const double *restrict grey, unsigned char *restrict white)
{
    for (int i = 0; i < n; i++) {
        if (grey[i] > limit)
            white[i] = 255;
        else
            white[i] = 0;
    }
}
