// Operators that load and store the same element.
// -P n=25
void updates(int n, int *a, const int *b)
{
  for (int i = 0; i < n; i++) {
    a[i]++;             // loads 25, stores 25
    --a[i];             // loads 25, stores 25
    a[i] += b[i];       // loads 50, stores 25
    a[i] <<= 1;         // loads 25, stores 25
    a[i] = a[i] + b[i]; // loads 50, stores 25
  }
}
