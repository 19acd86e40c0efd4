// A pointer that data lead into one of two arrays, within a loop: each of the two accesses is possible.
// -P n=10
void data_chosen_pointers(int n, const int *flags, double *a, double *b)
{
  double *p = a;
  for (int i = 0; i < n; i++) {
    if (flags[i] > 0) // loads 10
      p = b;
    p[i] = 1.0; // stores 0 to 20
  }
}
