// Functions of the library go through text up to its end, which is data; files and literals are no arrays.
// -P n=10
#include <stdio.h>
#include <string.h>

static char name[8];
static double *a;

void texts(int n, double *values, FILE *out)
{
  for (int i = 0; i < n; i++) {
    if (values[i] < 0.0)                 // loads 10
      fprintf(stderr, "%d of %d\n", i, n); // none
    a[i] = values[i];                    // loads 10, stores 10
  }
  for (int i = 0; i < n; i++) {
    sprintf(name, "%d", i);              // stores 0 to 80
    if (!strcmp(name, "5"))              // loads 0 to 80
      a[i] = 0.0;                        // stores 0 to 10
    fprintf(out, "%s %g\n", name, a[i]); // loads 10 to 90
    sscanf(name, "%lf", &values[i]);     // loads 0 to 80, stores 0 to 10
  }
}
