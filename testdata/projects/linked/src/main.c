#include "sizes.h"
#include <config.h>

double field[ROWS][COLUMNS];

void smooth_row(int n, double *row);

int main(void)
{
  for (int i = 0; i < ROWS; i++)
    smooth_row(COLUMNS, field[i]);
  return 0;
}
