/* Vectors and matrices as libraries have them: sizes, strides and a pointer to the elements in memory.
   Every use of a member is a load; v->size is one number as long as nothing stores to v. */
struct vector {
  unsigned long size;
  unsigned long stride;
  double *data;
};

struct matrix {
  unsigned long rows, columns, tda;
  double *data;
};

static double at(const struct matrix *m, unsigned long i, unsigned long j)
{
  return m->data[i * m->tda + j];
}

void struct_vectors(struct vector *v, const struct matrix *m, int *count)
{
  for (unsigned long i = 0; i < v->size; i++)
    v->data[i * v->stride] = 1.0;
  for (unsigned long i = 0; i < m->rows; i++) {
    double s = 0.0;
    for (unsigned long j = 0; j < m->columns; j++)
      s += at(m, i, j);
    v->data[i] = s;
  }
  for (int k = count[0]; k-- > 0;)
    v->data[k] = 0.0;
  count[1] = 3;
  for (int k = 0; k < count[1]; k++)
    v->data[k] = 2.0;
}
