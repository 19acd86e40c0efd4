/* A product of a sparse matrix: data decide where and how often. */
void spmv(int rows, const int *start, const int *column, const double *value, const double *x, double *y)
{
    for (int i = 0; i < rows; i++) {
        double sum = 0.0;
        for (int k = start[i]; k < start[i + 1]; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}
