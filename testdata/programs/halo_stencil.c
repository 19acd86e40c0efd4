/* A five-point stencil on a grid with a halo, by a macro. */
#include <stdio.h>
#include <stdlib.h>

#define HALO 1
#define AT(g, i, j) (g)[((i) + HALO) * (nx + 2 * HALO) + (j) + HALO]

static void exchange(int ny, int nx, double *g)
{
    for (int j = 0; j < nx; j++) {
        AT(g, -1, j) = AT(g, ny - 1, j);
        AT(g, ny, j) = AT(g, 0, j);
    }
    for (int i = 0; i < ny; i++) {
        AT(g, i, -1) = AT(g, i, nx - 1);
        AT(g, i, nx) = AT(g, i, 0);
    }
}

void step(int ny, int nx, double *old, double *new)
{
    exchange(ny, nx, old);
    for (int i = 0; i < ny; i++)
        for (int j = 0; j < nx; j++)
            AT(new, i, j) = 0.25 * (AT(old, i - 1, j) + AT(old, i + 1, j) + AT(old, i, j - 1) + AT(old, i, j + 1));
}
