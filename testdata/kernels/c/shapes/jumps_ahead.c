// Jumps to labels ahead: over statements, to the end of an iteration, out of loops.
// -P n=10
int jumps_ahead(int n, double *a, double *b, const int *kind)
{
  for (int i = 0; i < n; i++) {
    if (i % 2)
      goto odd;
    a[i] = 0.0; // stores 5
    goto end;
  odd:
    b[i] = 1.0; // stores 5
  end:;
  }
  for (int i = 0; i < n; i++) {
    if (a[i] < 0.0) // loads 10
      goto negative;
    b[i] += 1.0; // loads 0 to 10, stores 0 to 10
    goto both;
  negative:
    b[i] -= 1.0; // loads 0 to 10, stores 0 to 10
  both:
    a[i] = b[i]; // loads 10, stores 10
  }
  for (int i = 0; i < n; i++) {
    switch (kind[i]) { // loads 10
    case 1:
      goto one;
    case 2:
      goto next;
    }
    a[i] = 2.0; // stores 0 to 10
    goto next;
  one:
    a[i] = 3.0; // stores 0 to 10
  next:
    b[i] = 4.0; // stores 10
  }
  for (int i = 0; i < n; i++) {
    b[i] = 0.0; // stores 1 to 10
    for (int j = 0; j < n; j++)
      if (a[j] > 3.0) // loads 1 to 100
        goto found;
  }
  b[0] = 5.0; // stores 0 to 1
found:
  b[1] = 6.0; // stores 1
  if (n < 5)
    goto out;
  b[2] = 7.0; // stores 1
out:
  return 0;
}
