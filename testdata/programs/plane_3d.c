/* A grid of three dimensions as one array, with helper macros and a probe. */
#include <stdio.h>
#include <stdlib.h>

#define IDX(i, j, k) (((i) * ny + (j)) * nz + (k))

double diffuse(int nx, int ny, int nz, const double *u, double *v)
{
    for (int i = 1; i < nx - 1; i++)
        for (int j = 1; j < ny - 1; j++)
            for (int k = 1; k < nz - 1; k++)
                v[IDX(i, j, k)] = u[IDX(i, j, k)]
                    + 0.1 * (u[IDX(i - 1, j, k)] + u[IDX(i + 1, j, k)] + u[IDX(i, j - 1, k)]
                             + u[IDX(i, j + 1, k)] + u[IDX(i, j, k - 1)] + u[IDX(i, j, k + 1)]);
    return v[IDX(1, 1, 1)] + v[IDX(nx / 2, ny / 2, nz / 2)];
}
