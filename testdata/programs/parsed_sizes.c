/* Sizes from the command line with a check of their range, an array of fixed length beside them. */
#include <stdio.h>
#include <stdlib.h>

#define MAX 4096

static double a[MAX][MAX], x[MAX], y[MAX];

int main(int argc, char **argv)
{
    int n = 1000;
    if (argc == 2)
        n = atoi(argv[1]);
    if (n < 1 || n > MAX) {
        fprintf(stderr, "n must be between 1 and %d\n", MAX);
        exit(1);
    }
    for (int i = 0; i < n; i++) {
        x[i] = 1.0;
        for (int j = 0; j < n; j++)
            a[i][j] = i + j;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[i] += a[i][j] * x[j];
    printf("%f %f\n", y[0], y[n - 1]);
    return 0;
}
