// What one nest writes the next one reads, the last one in another order.
// -P n=9
void pipeline(int n, double in[n][n], double mid[n][n], double out[n][n])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      mid[i][j] = in[i][j]; // loads 81, stores 81
  for (int i = 1; i < n; i++)
    for (int j = 0; j < n; j++)
      out[i][j] = mid[i][j] + mid[i - 1][j]; // loads 144, stores 72
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      in[i][j] = out[i][j]; // loads 81, stores 81
}
