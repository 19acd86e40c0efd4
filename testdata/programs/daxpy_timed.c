/* Vectors from malloc, checked for NULL, sized by argv, the kernel timed by clock_gettime and repeated. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000000;
    int repeat = 10;
    double *x = malloc(n * sizeof(double));
    double *y = malloc(n * sizeof(double));
    if (x == NULL || y == NULL) {
        fprintf(stderr, "out of memory\n");
        return 1;
    }
    for (int i = 0; i < n; i++) {
        x[i] = i;
        y[i] = 2 * i;
    }

    double start = now();
    for (int r = 0; r < repeat; r++)
        for (int i = 0; i < n; i++)
            y[i] += 0.5 * x[i];
    double seconds = now() - start;

    printf("y[10] = %g, %g s\n", y[10], seconds);
    free(x);
    free(y);
    return 0;
}
