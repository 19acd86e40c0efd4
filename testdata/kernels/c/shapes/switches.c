// Each label of a switch is an arm, which runs on into the next one where no break ends it.
// -P n=12
enum { FIRST = 1, SECOND };

void switches(int n, int mode, double *a, double *b, const int *kind)
{
  for (int i = 0; i < n; i++)
    switch (i % 4) {
    case 0:
      a[i] = 1.0; // stores 3
      break;
    case FIRST:
      b[i] = 1.0; // stores 3
      /* falls through */
    case SECOND: {
      b[i + 1] = a[i]; // loads 6, stores 6
      break;
    }
    default:
      a[i] += b[i]; // loads 6, stores 3
    }
  switch (sizeof(long)) {
  case 4:
    a[0] = 0.0; // none
    break;
  case 8:
  case 16:
    a[1] = 0.0; // stores 1
  }
  for (int i = 0; i < n; i++) {
    switch (kind[i]) { // loads 12
    case 1:
    case 2:
      a[i] = 2.0; // stores 0 to 12
      break;
    default:
      for (int j = 0; j < 2; j++)
        b[j] = 3.0; // stores 0 to 24
    }
    b[i] = a[i]; // loads 12, stores 12
  }
}
