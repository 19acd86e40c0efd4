// Moves the positive numbers of a list to the start of another.
int compact(int n, const double a[restrict n], double b[restrict n])
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            b[k++] = a[i];
    return k;
}
