// Conditions that depend on the sign of the step, as in C translated from Fortran.
// -P n=30
void signs_of_steps(int n, double *a)
{
  int i__, i__1 = n, i__2 = 2;
  for (i__ = 1; i__2 < 0 ? i__ >= i__1 : i__ <= i__1; i__ += i__2)
    a[i__ - 1] = 0.0; // stores 15
  i__1 = 1;
  i__2 = -3;
  for (i__ = n; i__2 < 0 ? i__ >= i__1 : i__ <= i__1; i__ += i__2)
    a[i__ - 1] += 1.0; // loads 10, stores 10
}
