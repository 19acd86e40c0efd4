/* A kernel with allocation, timing, a check of the result and printing around it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double run(int n, int reps)
{
    double *x = calloc(n, sizeof *x), *y = malloc(sizeof(double) * n);
    if (!x || !y) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    for (int i = 0; i < n; i++) {
        x[i] = (double)i / n;
        y[i] = 1.0;
    }
    clock_t t0 = clock();
    for (int r = 0; r < reps; r++)
        for (int i = 0; i < n; i++)
            y[i] += 2.0 * x[i];
    double t = (double)(clock() - t0) / CLOCKS_PER_SEC;
    double err = 0.0;
    for (int i = 0; i < n; i++)
        err = fmax(err, fabs(y[i] - 1.0 - 2.0 * reps * x[i]));
    printf("%g s, error %g, y[0] = %g, y[n-1] = %g\n", t, err, y[0], y[n - 1]);
    free(x);
    free(y);
    return err;
}
