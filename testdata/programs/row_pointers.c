/* A matrix as pointers to the rows of one block, set up here. */
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    double *data = malloc(n * n * sizeof *data);
    double **a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = data + i * n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = i + j;
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += a[i][j];
    free(a);
    free(data);
    return sum > 0.0;
}
