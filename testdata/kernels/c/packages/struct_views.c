/* Views are structs in registers: their members are scalars, and so is what the calls pass on. */
struct view {
  unsigned long size;
  unsigned long stride;
  double *data;
};

static struct view part(const struct view *v, unsigned long start, unsigned long size)
{
  struct view w;
  w.size = size;
  w.stride = v->stride;
  w.data = v->data + start * v->stride;
  return w;
}

static void fill(struct view *v, double x)
{
  for (unsigned long i = 0; i < v->size; i++)
    v->data[i * v->stride] = x;
}

void struct_views(unsigned long n, double *a)
{
  struct view all;
  all.size = n;
  all.stride = 2;
  all.data = a;
  fill(&all, 1.0);
  struct view half = part(&all, n / 2, n - n / 2);
  fill(&half, 2.0);
  for (unsigned long i = 0; i < half.size; i++)
    half.data[i] = a[i] + 1.0;
}
