/* The usual benchmark: three sizes, a checksum, an element printed now and then. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef NI
#define NI 200
#endif
#ifndef NJ
#define NJ 220
#endif
#ifndef NK
#define NK 240
#endif

static double A[NI][NK], B[NK][NJ], C[NI][NJ];

static void init_array(double *alpha, double *beta)
{
    *alpha = 1.5;
    *beta = 1.2;
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NJ; j++)
            C[i][j] = (double)((i * j + 1) % NI) / NI;
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NK; j++)
            A[i][j] = (double)(i * (j + 1) % NK) / NK;
    for (int i = 0; i < NK; i++)
        for (int j = 0; j < NJ; j++)
            B[i][j] = (double)(i * (j + 2) % NJ) / NJ;
}

static void print_array(void)
{
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NJ; j++) {
            if ((i * NI + j) % 20 == 0)
                fprintf(stderr, "\n");
            fprintf(stderr, "%0.2lf ", C[i][j]);
        }
}

int main(int argc, char **argv)
{
    double alpha, beta;
    init_array(&alpha, &beta);
    clock_t begin = clock();
    for (int i = 0; i < NI; i++) {
        for (int j = 0; j < NJ; j++)
            C[i][j] *= beta;
        for (int k = 0; k < NK; k++)
            for (int j = 0; j < NJ; j++)
                C[i][j] += alpha * A[i][k] * B[k][j];
    }
    clock_t end = clock();
    printf("%f s\n", (double)(end - begin) / CLOCKS_PER_SEC);
    if (argc > 42)
        print_array();
    double checksum = 0;
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NJ; j++)
            checksum += C[i][j];
    printf("%f %f\n", checksum, C[10][10]);
    return 0;
}
