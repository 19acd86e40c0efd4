/* Dynamic programmes over triangles and tables: what is minimal or maximal depends on data. */
#define MAX(a, b) ((a) >= (b) ? (a) : (b))

/* Folding: the best of two neighbours and of all places to split. */
void fold(int n, int table[n][n])
{
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      table[i][j] = MAX(table[i][j], table[i][j - 1]);
      table[i][j] = MAX(table[i][j], table[i + 1][j]);
      for (int k = i + 1; k < j; k++)
        table[i][j] = MAX(table[i][j], table[i][k] + table[k + 1][j]);
    }
}

/* The cheapest order of a product of matrices, by the first factor. */
void matrix_chain(int n, const int p[n + 1], int cost[n][n])
{
  for (int i = n - 1; i >= 0; i--) {
    cost[i][i] = 0;
    for (int j = i + 1; j < n; j++) {
      int best = 1 << 30;
      for (int k = i; k < j; k++) {
        int own = cost[i][k] + cost[k + 1][j] + p[i] * p[k + 1] * p[j + 1];
        if (own < best)
          best = own;
      }
      cost[i][j] = best;
    }
  }
}

/* The search tree with the shortest expected path. */
void optimal_tree(int n, double weight[n][n], double cost[n][n])
{
  for (int i = n - 2; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      double best = cost[i + 1][j];
      for (int k = i + 1; k < j; k++) {
        double own = cost[i][k] + cost[k + 1][j];
        if (own < best)
          best = own;
      }
      cost[i][j] = best + weight[i][j];
    }
}

/* Local alignment, each gap with its own price by length. */
void align(int n, const int a[n], const int b[n], const int price[n], int h[n][n])
{
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) {
      h[i][j] = MAX(0, h[i - 1][j - 1] + (a[i] == b[j] ? 2 : -1));
      for (int k = 0; k < i; k++)
        h[i][j] = MAX(h[i][j], h[k][j] - price[i - k]);
      for (int k = 0; k < j; k++)
        h[i][j] = MAX(h[i][j], h[i][k] - price[j - k]);
    }
}

/* Local alignment, gaps priced by their elements. */
void align_linear(int n, const int a[n], const int b[n], int h[n][n])
{
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) {
      h[i][j] = MAX(0, h[i - 1][j - 1] + (a[i] == b[j] ? 2 : -1));
      h[i][j] = MAX(h[i][j], h[i - 1][j] - 1);
      h[i][j] = MAX(h[i][j], h[i][j - 1] - 1);
    }
}
