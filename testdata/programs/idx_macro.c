/* A grid in three dimensions by an index macro. */
#define IDX(i, j, k) (((i) * ny + (j)) * nz + (k))
void laplace(int nx, int ny, int nz, const double *u, double *v)
{
    for (int i = 1; i < nx - 1; i++)
        for (int j = 1; j < ny - 1; j++)
            for (int k = 1; k < nz - 1; k++)
                v[IDX(i, j, k)] = u[IDX(i - 1, j, k)] + u[IDX(i + 1, j, k)] + u[IDX(i, j - 1, k)] + u[IDX(i, j + 1, k)]
                    + u[IDX(i, j, k - 1)] + u[IDX(i, j, k + 1)] - 6.0 * u[IDX(i, j, k)];
}
double norm(int nx, int ny, int nz, const double *u)
{
    double s = 0.0;
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < ny; j++)
            for (int k = 0; k < nz; k++)
                s += u[IDX(i, j, k)] * u[IDX(i, j, k)];
    return s;
}
void init(int nx, int ny, int nz, double *u)
{
    for (int i = 0; i < nx * ny * nz; i++)
        u[i] = 0.0;
}
