// File-scope arrays lie before parameters, which lie before locals.
static double table[20][30];

void globals(double *out)
{
  double local[30];
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 30; j++) {
      local[j] = table[i][j]; // loads 600, stores 600
      out[j] = local[j];      // loads 600, stores 600
    }
}
