// Rows and elements that no line size divides.
// -P n=11
struct point {
  float x, y, z;
};

void odd_sizes(int n, struct point p[n][7], char flags[n][13], short *sum)
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 7; j++)
      p[i][j].y = p[i][j].x + p[i][j].z; // loads 154, stores 77
    for (int j = 0; j < 13; j++)
      sum[i] += flags[i][j]; // loads 286, stores 143
  }
}
