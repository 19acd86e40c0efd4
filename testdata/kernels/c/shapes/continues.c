// Iterations that end early: in the arm of a switch, and in an arm that otherwise goes on.
// -P n=12

void continues(int n, double *a, double *b)
{
  for (int i = 0; i < n; i++) {
    switch (i % 3) {
    case 0:
      continue;
    case 1:
      if (i > 6)
        continue;
      a[i] = 4.0; // stores 2
      break;
    default:
      b[i] = 4.0; // stores 4
    }
    a[i] += b[i]; // loads 12, stores 6
  }
  for (int i = 0; i < n; i++) {
    if (i % 2) {
      a[i] = 1.0; // stores 6
      if (i > 4)
        continue;
      b[i] = 1.0; // stores 2
    }
    a[i] += 1.0; // loads 8, stores 8
  }
  for (int i = 0; i < n; i++) {
    do {
      if (i > 4)
        continue;
      b[i] = 2.0; // stores 5
    } while (0);
    a[i] = 2.0; // stores 12
  }
}
