#ifndef GRID_H
#define GRID_H
typedef struct {
  long n;
  double *cells;
} Grid;
#endif
