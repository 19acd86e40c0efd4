#ifndef WEIGHTS
#error "this file is compiled with -DWEIGHTS"
#endif

static double weight(int i)
{
  return i % 2 ? 0.25 : 0.5;
}

void smooth_row(int n, double *row)
{
  for (int j = 0; j < n; j++)
    row[j] *= weight(j) + OFFSET + LEVEL;
}
