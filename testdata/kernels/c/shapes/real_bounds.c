// A loop to a real number that its body may change runs within a range of these numbers.
// -P max((int)x[0])=5
void real_bounds(double *x)
{
  for (int i = 0; i < (int)x[0]; i++) // loads 1 to 6
    x[i] = 1.0;                       // stores 0 to 5
}
