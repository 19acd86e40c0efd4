// Structs with arrays that are passed by value: one load and one store for each part of a copy.
// -P n=10
struct complex { double part[2]; };

#define PART(z, x) _Generic((x), int: (z).part[0], default: (z).part[1])

static double real(struct complex z) // stores 20
{
  return PART(z, 1); // loads 10
}

void by_value(int n, double *x, struct complex *y)
{
  for (int i = 0; i < n; i++)
    x[i] = real(y[i]); // loads 20, stores 10
}
