// Loops that never end, whatever the sizes.
void away_from_the_bound(double *a)
{
  for (int i = 1; i > 0; i++) // rejects: endless-loop
    a[i] = 0.0;
}

void over_the_bound(double *a)
{
  for (int i = 0; i != 9; i += 2) // rejects: endless-loop
    a[i] = 0.0;
}
