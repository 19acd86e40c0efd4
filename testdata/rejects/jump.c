// A jump back into a block that it is not in: what runs after it is no loop of the text.
void retry(int n, double *a)
{
  int i = 0;
  if (n > 3) {
  inside:
    a[i] = 0.5;
  }
  for (int k = 0; k < n; k++)
    a[k] += 1.0;
  if (a[i] < 0.0)
    goto inside; // rejects: jump
}
