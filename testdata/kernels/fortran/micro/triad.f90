! STREAM triad as a statement on whole arrays: three streams, no reuse but within a line.
! -P n=100
subroutine triad(n, a, b, c)
  implicit none
  integer, intent(in) :: n
  double precision, intent(out) :: a(n)
  double precision, intent(in) :: b(n), c(n)

  a = b + 3.0d0 * c
end subroutine triad
