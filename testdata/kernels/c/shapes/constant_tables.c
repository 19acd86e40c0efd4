// Tables of constants: the neighbours of a stencil, the rows of a sparse matrix, a mask.
// -P n=20

static const int dx[4] = {1, 0, -1, 0};
static int dy[] = {[3] = -1, [1] = 1, 0};
static const int start[5] = {0, 3, 3, 5, 9};
static const unsigned char column[] = {0, 4, 7, 2, 5, 1, 3, 6, 8};
static const struct { double weight; int from, to; } parts[] = {{1.0, .to = 3}, {.from = 2, 5}};
static const _Bool is_open[3][2] = {{1, 0}, {[1] = 1}, 0, 1};

void constant_tables(int n, double *a, double *b)
{
  for (int i = 1; i < n - 1; i++)
    for (int k = 0; k < 4; k++)
      b[i] += a[i + dx[k] + dy[k]]; // loads 288, stores 72
  for (int i = 0; i < 4; i++)
    for (int j = start[i]; j < start[i + 1]; j++) // loads 17
      b[i] += a[column[j]]; // loads 27, stores 9
  for (int k = 0; k < 2; k++)
    for (int i = parts[k].from; i <= parts[k].to; i++) // loads 12
      a[i] *= parts[k].weight; // loads 16, stores 8
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 2; k++)
      if (is_open[i][k]) // loads 6
        a[2 * i + k] = 0.0; // stores 3
}
