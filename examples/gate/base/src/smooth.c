/* A mean of neighbours over a grid whose rows lie one after the other. */
void smooth(int rows, int columns, double out[rows][columns], double in[rows][columns])
{
    for (int i = 0; i < rows; i++)
        for (int j = 1; j < columns - 1; j++)
            out[i][j] = (in[i][j - 1] + in[i][j] + in[i][j + 1]) / 3;
}
