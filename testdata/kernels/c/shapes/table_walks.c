// Tables that lead on: a cycle of places, steps of sweeps, a table looked up in another one.
// -P n=20

void table_walks(int n, double *a)
{
  static const short next[8] = {3, 6, 0, 5, 1, 7, 2, 4};
  const long steps[] = {3, 1, 2};
  int place = 0;
  for (int i = 0; i < n; i++) {
    a[place] += 1.0; // loads 20, stores 20
    place = next[place]; // loads 20
  }
  for (int k = 0; k < 3; k++)
    for (long i = 0; i < n; i += steps[k]) // loads 37
      a[i] = 0.0; // stores 37
  for (int i = 0; i < 8; i++)
    a[next[next[i]]] = 1.0; // loads 16, stores 8
}
