/* A struct of an array with its sizes. */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int rows, cols;
    double *data;
} matrix;

matrix *matrix_new(int rows, int cols)
{
    matrix *m = malloc(sizeof *m);
    if (!m)
        return NULL;
    m->rows = rows;
    m->cols = cols;
    m->data = malloc(sizeof(double) * rows * cols);
    return m;
}

void matrix_add(matrix *out, const matrix *a, const matrix *b)
{
    for (int i = 0; i < out->rows; i++)
        for (int j = 0; j < out->cols; j++)
            out->data[i * out->cols + j] = a->data[i * a->cols + j] + b->data[i * b->cols + j];
}

double matrix_sum(const matrix *m)
{
    double sum = 0.0;
    for (int i = 0; i < m->rows * m->cols; i++)
        sum += m->data[i];
    return sum;
}
