// A return in an inner loop ends the outer one, too; returns within the arms of a switch.
// -P n=10
static int rank(int kind)
{
  switch (kind) {
  case 0:
    return 3;
  case 1:
  case 2:
    if (kind == 2)
      return 2;
    break;
  default:
    return 0;
  }
  return 1;
}

int nested_returns(int n, double *a, double *b)
{
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < rank(k); i++)
      a[i] = 1.0; // stores 6
  for (int i = 0; i < n; i++) {
    b[i] = 1.0; // stores 1 to 10
    for (int j = 0; j < n; j++) {
      if (a[j] > 3.0) // loads 1 to 100
        return 1;
      a[j] = 2.0; // stores 0 to 100
    }
  }
  b[0] = 3.0; // stores 0 to 1
  return 0;
}
