// All of val is in one line: whatever the iterators are, an iteration touches the same lines.
// -P n=3
void same_lines(int n, const double *val, double *t, double *b)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) {
        t[0] = val[i]; // loads 27, stores 27
        t[1] = val[j]; // loads 27, stores 27
        for (int l = 0; l < 2; l++)
          t[2 + l] = val[k]; // loads 54, stores 54
        if (t[0] < t[1]) // loads 54
          b[0] = t[2]; // loads 0 to 27, stores 0 to 27
      }
}
