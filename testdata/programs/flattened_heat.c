/* A flattened grid on the heap, with boundaries set before the steps, and a probe in the middle. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char *argv[])
{
    if (argc < 3) {
        printf("usage: %s n steps\n", argv[0]);
        return 1;
    }
    int n = atoi(argv[1]);
    int steps = atoi(argv[2]);
    double *u = calloc((size_t)n * n, sizeof *u);
    double *v = calloc((size_t)n * n, sizeof *v);
    if (!u || !v)
        return 1;
    for (int i = 0; i < n; i++) {
        u[i * n] = 1.0;
        u[i * n + n - 1] = 1.0;
    }
    for (int s = 0; s < steps; s++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i * n + j] = u[i * n + j]
                    + 0.1 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1]
                             + u[i * n + j + 1] - 4.0 * u[i * n + j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i * n + j] = v[i * n + j];
    }
    printf("%g %g\n", u[3 * n + 4], u[(n - 2) * n + n - 2]);
    free(u);
    free(v);
    return 0;
}
