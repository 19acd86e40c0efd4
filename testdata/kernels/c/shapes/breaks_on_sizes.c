// Exits that compare the iterator with a size: before the other statements of the body, between them and behind.
// -P n=30 -P m=12
void breaks_on_sizes(int n, int m, double *a, double *b)
{
  for (int i = 0; i < n; i++) {
    if (i == m)
      break;
    a[i] = 0.0; // stores 12
  }
  int j;
  for (j = 2; j < n; j += 3) {
    a[j] += 1.0; // loads 5, stores 5
    if (m <= j)
      break;
    b[j] = 1.0; // stores 4
  }
  for (int k = 0; k < j; k++)
    a[k] = 2.0; // stores 14
  int t = n - 1;
  while (t >= 0) {
    a[t] = 3.0; // stores 18
    if (t == m)
      break;
    b[t] = 3.0; // stores 17
    t--;
  }
  int s = 0;
  while (1) {
    a[s] = 4.0; // stores 13
    if (s >= m)
      break;
    b[s] = 4.0; // stores 12
    s++;
  }
  for (int k = 0; k < n; k++)
    for (int l = 0; l < n; l++) {
      b[k * n + l] = 5.0; // stores 465
      if (l == k)
        break;
    }
}
