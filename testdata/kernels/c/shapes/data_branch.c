// The data decide whether the arms run.
// -P n=100
void data_branch(int n, const double *x, double *positive, double *sum)
{
  for (int i = 0; i < n; i++)
    if (x[i] > 0.0)           // loads 100
      positive[i] = x[i];     // loads 0 to 100, stores 0 to 100
    else
      sum[0] += 1.0;          // loads 0 to 100, stores 0 to 100
}
