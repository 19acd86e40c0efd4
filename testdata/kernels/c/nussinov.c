/* RNA folding: a downward loop, affine guards, and maxima that depend on data. */
#ifndef N
#define N 60
#endif

typedef char base;
#define PAIR(a, b) ((a) + (b) == 3 ? 1 : 0)
#define MAX(a, b) ((a) >= (b) ? (a) : (b))

void kernel_nussinov(base seq[N], int table[N][N])
{
  for (int i = N - 1; i >= 0; i--)
    for (int j = i + 1; j < N; j++) {
      if (j - 1 >= 0)
        table[i][j] = MAX(table[i][j], table[i][j - 1]);
      if (i + 1 < N)
        table[i][j] = MAX(table[i][j], table[i + 1][j]);
      if (j - 1 >= 0 && i + 1 < N) {
        if (i < j - 1)
          table[i][j] = MAX(table[i][j], table[i + 1][j - 1] + PAIR(seq[i], seq[j]));
        else
          table[i][j] = MAX(table[i][j], table[i + 1][j - 1]);
      }
      for (int k = i + 1; k < j; k++)
        table[i][j] = MAX(table[i][j], table[i][k] + table[k + 1][j]);
    }
}
