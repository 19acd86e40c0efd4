// Loops that are made of jumps back: with the test at the head, at the end, and one in another.
// -P n=10
void jumps_back(int n, double *a, double b[n][n])
{
  int i = 0, j = 0;
head:
  if (i >= n)
    goto behind;
  a[i] = 0.0; // stores 10
  i++;
  goto head;
behind:
  i = 0;
end:
  a[i] += 1.0; // loads 10, stores 10
  if (++i < n)
    goto end;
rows:
  if (j < n) {
    i = 0;
  columns:
    if (i <= j) {
      b[j][i] = a[i]; // loads 55, stores 55
      i++;
      goto columns;
    }
    j++;
    goto rows;
  }
}
