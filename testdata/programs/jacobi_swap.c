/* Two grids whose pointers are swapped between time steps. */
#include <stdlib.h>

void jacobi(int n, int steps, double *a, double *b)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i * n + j] = 0.25 * (a[(i - 1) * n + j] + a[(i + 1) * n + j]
                                       + a[i * n + j - 1] + a[i * n + j + 1]);
        double *swap = a;
        a = b;
        b = swap;
    }
}
