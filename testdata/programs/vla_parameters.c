/* Arrays of variable length as parameters, with the first and the last corner looked at. */
double smooth(int rows, int cols, double in[rows][cols], double out[rows][cols])
{
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < cols - 1; j++)
            out[i][j] = (in[i - 1][j - 1] + in[i][j] + in[i + 1][j + 1]) / 3.0;
    return out[0][0] + out[rows - 1][cols - 1] + out[2][5];
}
