// A sweep over the labels of connected components: each pixel that is set takes the least label around it.
int components(int n, const int *restrict set, int *restrict label)
{
    int changes = 0;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            int least = label[i * n + j];
            if (label[(i - 1) * n + j] < least)
                least = label[(i - 1) * n + j];
            if (label[i * n + j - 1] < least)
                least = label[i * n + j - 1];
            if (set[i * n + j] && least < label[i * n + j]) {
                label[i * n + j] = least;
                changes++;
            }
        }
    return changes;
}
