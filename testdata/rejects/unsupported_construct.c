// Assembly may touch anything.
void fenced(int n, double *a)
{
  for (int i = 0; i < n; i++) {
    a[i] = 0.0;
    __asm__ volatile("" ::: "memory"); // rejects: unsupported-construct
  }
}
