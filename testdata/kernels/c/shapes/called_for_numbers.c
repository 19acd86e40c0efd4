// Functions that do nothing but yield a number, for constants, for sizes and for data, and one that does more.
// -P n=10
static double seen[8];

static int tile(int level, int of)
{
  int found = 4;
  if (level == 1)
    found = 2;
  if (level == 2 && of > 1000000)
    found = 2;
  return found;
}

static int marked(int level)
{
  seen[level] = 1; // stores 1
  return level + 1;
}

static int by_data(int level, double x)
{
  return level == 3 ? 5 : x > 0 ? 1 : 2;
}

void called_for_numbers(int n, double *a, const double *x)
{
  for (int i = 0; i < n; i += tile(1, n))
    a[i] = 1; // stores 5
  int last = tile(2, n);
  for (int i = 0; i < last; i++)
    a[i] = 2; // stores 4
  last = marked(3);
  for (int i = 0; i < last; i++)
    a[i] = 3; // stores 4
  last = by_data(3, x[0]); // loads 1
  for (int i = 0; i < last; i++)
    a[i] = 4; // stores 5
  for (int i = 0; i < 3; i++)
    if (by_data(i, x[i]) == 1) // loads 3
      a[i] = 5; // stores 0 to 3
}
