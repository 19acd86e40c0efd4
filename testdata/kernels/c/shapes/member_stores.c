// Stores to a member of each element of an array leave the other members as they are, and are known until the
// element may be another one.
// -P n=4 -P min(tiles[t].size)=1 -P max(tiles[t].size)=5
#include <stdlib.h>

struct tile {
  int start;
  int size;
  double *data;
};

void member_stores(int n, struct tile *tiles)
{
  for (int t = 0; t < n; t++) {
    tiles[t].start = 2;                          // stores 4
    tiles[t].data = malloc(10 * sizeof(double)); // stores 4
    for (int k = tiles[t].start; k < 10; k++)    // loads 4
      tiles[t].data[k] = 0.0;                    // loads 32, stores 32
    for (int k = 0; k < tiles[t].size; k++)      // loads 4 to 24
      tiles[t].data[k] = 1.0;                    // loads 0 to 20, stores 0 to 20
  }
}
