/* STREAM in its usual form: a static array with an offset, four kernels, times in an array. */
#include <omp.h>
#include <stdio.h>

#ifndef STREAM_ARRAY_SIZE
#define STREAM_ARRAY_SIZE 2000000
#endif
#ifndef OFFSET
#define OFFSET 0
#endif
#define NTIMES 10

static double a[STREAM_ARRAY_SIZE + OFFSET], b[STREAM_ARRAY_SIZE + OFFSET], c[STREAM_ARRAY_SIZE + OFFSET];

int main(void)
{
    double times[4][NTIMES];
    double scalar = 3.0;
    long j;

#pragma omp parallel for
    for (j = 0; j < STREAM_ARRAY_SIZE; j++) {
        a[j] = 1.0;
        b[j] = 2.0;
        c[j] = 0.0;
    }
    for (int k = 0; k < NTIMES; k++) {
        times[0][k] = omp_get_wtime();
#pragma omp parallel for
        for (j = 0; j < STREAM_ARRAY_SIZE; j++)
            c[j] = a[j];
        times[0][k] = omp_get_wtime() - times[0][k];

        times[1][k] = omp_get_wtime();
#pragma omp parallel for
        for (j = 0; j < STREAM_ARRAY_SIZE; j++)
            b[j] = scalar * c[j];
        times[1][k] = omp_get_wtime() - times[1][k];

        times[2][k] = omp_get_wtime();
#pragma omp parallel for
        for (j = 0; j < STREAM_ARRAY_SIZE; j++)
            c[j] = a[j] + b[j];
        times[2][k] = omp_get_wtime() - times[2][k];

        times[3][k] = omp_get_wtime();
#pragma omp parallel for
        for (j = 0; j < STREAM_ARRAY_SIZE; j++)
            a[j] = b[j] + scalar * c[j];
        times[3][k] = omp_get_wtime() - times[3][k];
    }
    for (int k = 1; k < NTIMES; k++)
        printf("%g %g %g %g\n", times[0][k], times[1][k], times[2][k], times[3][k]);
    printf("%g %g %g\n", a[0], b[1000], c[STREAM_ARRAY_SIZE - 1]);
    return 0;
}
