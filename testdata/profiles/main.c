/* Runs the kernels; with -DCOUNTING prints how often each array was accessed. */
#include "kernels.h"
#include <stdio.h>

#define DOUBLES(array) double array[5 * SIZE];
#define INTEGERS(array) int array[5 * SIZE];
#define COUNTS(array) long n_##array;
ARRAYS(DOUBLES)
INDICES(INTEGERS)
ARRAYS(COUNTS)
INDICES(COUNTS)

static unsigned state = 1;

/* From 0 to 1, the same on every machine. */
static double next(void)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) / 16777216.0;
}

static void fill(double *array)
{
    for (int i = 0; i < SIZE; i++)
        array[i] = next();
}

int main(void)
{
#define FILL(array) fill(array);
    ARRAYS(FILL)
    int k = 0;
    for (int i = 0; i < SIZE; i++) {
        first[i] = k;
        k += (int)(next() * 5);
        last[i] = k;
    }
    for (int i = 0; i < 5 * SIZE; i++)
        column[i] = (int)(next() * SIZE);
    for (int i = 0; i < 200; i++)
        t[i] = 0.5;
    arms(SIZE);
    rows(SIZE);
    halves(SIZE);
    search(SIZE, 0.99);
    scans();
    both(SIZE);
    weights(SIZE);
    rare(SIZE);
#ifdef COUNTING
#define PRINT(array) printf("%s %ld\n", #array, n_##array);
    ARRAYS(PRINT)
    INDICES(PRINT)
#endif
    return 0;
}
