// What an arm leaves that goes on, where the other one returns.
// -P n=10
static void fill(int n, int way, double *a)
{
  int first, last;
  if (way > 0) {
    first = 0;
    last = n;
  } else if (way < 0) {
    first = 1;
    last = n / 2;
  } else {
    last = 100;
    return;
  }
  for (int i = first; i < last; i++)
    a[i] = 1.0; // stores 14
}

static int chosen(int n, int *left)
{
  int result, more;
  if (n > 20) {
    result = 5;
    more = 1;
  } else if (n > 5) {
    result = 2;
    more = 4;
    *left = 3;
    return result + more;
  } else {
    *left = 4;
    return 0;
  }
  *left = more;
  return result - more;
}

void chosen_ways(int n, double *a, double *b)
{
  int left = 0, right = 0;
  for (int way = -1; way < 2; way++)
    fill(n, way, a);
  int result = chosen(n, &left);
  for (int i = 0; i < result; i++)
    b[i] = 2.0; // stores 6
  for (int i = 0; i < left; i++)
    b[i] = 3.0; // stores 3
  result = chosen(3 * n, &right);
  for (int i = 0; i < result + right; i++)
    b[i] = 4.0; // stores 5
  result = chosen(n / 4, &right);
  for (int i = 0; i < result + right; i++)
    b[i] = 5.0; // stores 4
  if (n > 5)
    result = n - 2;
  else if (n > 2)
    result = 3;
  else
    return;
  for (int i = 0; i < result; i++)
    a[i] = b[i]; // loads 8, stores 8
}
