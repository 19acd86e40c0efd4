/* Six kernels that refactorings are tried on. */
#define N 48
#define W 52

struct particle {
  double x, y, z, mass;
};

static double grid[N][W];
static double next[N][W];

void smooth(void)
{
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      next[i][j] = 0.2 * (grid[i][j] + grid[i][j - 1] + grid[i][j + 1] + grid[i - 1][j] + grid[i + 1][j]);
}

void multiply(int n, double c[n][n], double a[n][n], double b[n][n])
{
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i][j] += a[i][k] * b[k][j];
}

double momentum(int count, struct particle *p)
{
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += p[i].mass * p[i].x;
  return sum;
}

void spmv(int rows, int *start, int *column, double *value, double *x, double *y)
{
  for (int i = 0; i < rows; i++) {
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}

void histogram(int items, int *key, int *bin)
{
  for (int i = 0; i < items; i++)
    bin[key[i]] += 1;
}

void axpy(int len, double factor, double *u, double *v)
{
  for (int i = 0; i < len; i++)
    v[i] += factor * u[i];
}
