// Counts the values of bytes.
void histogram(int n, const unsigned char *restrict bytes, int counts[256])
{
    for (int i = 0; i < n; i++)
        counts[bytes[i]]++;
}
