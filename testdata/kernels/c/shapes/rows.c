// Rows behind pointers: those that an argument leads to, those that a loop allocates one after the other, those of one
// block, tables of tables, and members of structs. Each reference to a row loads its pointer first.
// -P n=10
void *malloc(unsigned long);
void free(void *);

typedef struct {
  int length;
  double *x, *y;
} pair;

static double **allocated(int n)
{
  double **rows = malloc(n * sizeof(double *));
  for (int i = 0; i < n; i++)
    rows[i] = malloc(n * sizeof(double)); // stores 10
  return rows;
}

double rows(int n, double **a, double ***cube, pair *pairs)
{
  double **b = allocated(n), **c = malloc(n * sizeof(double *));
  c[0] = malloc(n * n * sizeof(double)); // stores 1
  for (int i = 1; i < n; i++)
    c[i] = c[0] + i * n; // loads 9, stores 9
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      b[i][j] = a[i][j]; // loads 300, stores 100
  for (int i = 0; i < n; i++) {
    double *row = c[i]; // loads 10
    for (int j = 0; j < n; j++)
      row[j] = b[i][j]; // loads 200, stores 100
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 5; j++)
      for (int k = 0; k < 5; k++)
        sum += cube[i][j][k]; // loads 750
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      pairs[i].y[j] = pairs[i].x[j] + c[j][i]; // loads 500, stores 100
  for (int i = 0; i < n; i++)
    free(b[i]); // loads 10
  free(b);
  return sum;
}
