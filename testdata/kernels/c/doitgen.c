/* A three-dimensional array times a matrix, through a vector that holds one row. */
#ifndef NR
#define NR 10
#endif
#ifndef NQ
#define NQ 8
#endif
#ifndef NP
#define NP 12
#endif

void kernel_doitgen(double A[NR][NQ][NP], double C4[NP][NP], double sum[NP])
{
  for (int r = 0; r < NR; r++)
    for (int q = 0; q < NQ; q++) {
      for (int p = 0; p < NP; p++) {
        sum[p] = 0.0;
        for (int s = 0; s < NP; s++)
          sum[p] += A[r][q][s] * C4[s][p];
      }
      for (int p = 0; p < NP; p++)
        A[r][q][p] = sum[p];
    }
}
