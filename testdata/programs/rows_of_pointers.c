/* Rows that are allocated one by one. */
#include <stdlib.h>

void add(int n, int m)
{
    double **a = malloc(n * sizeof(double *));
    double **b = malloc(n * sizeof(double *));
    for (int i = 0; i < n; i++) {
        a[i] = malloc(m * sizeof(double));
        b[i] = malloc(m * sizeof(double));
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = b[i][j] = i + j;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] += b[i][j];
    for (int i = 0; i < n; i++) {
        free(a[i]);
        free(b[i]);
    }
    free(a);
    free(b);
}
