! A pointer to one array or another, by what the data say.
subroutine either(n, x, a, b)
  implicit none
  integer, intent(in) :: n
  double precision, intent(in) :: x(n)
  double precision, intent(inout), target :: a(n), b(n)
  double precision, pointer :: p(:)
  integer :: i

  p => a
  if (x(1) > 0.0d0) p => b
  do i = 1, n
    p(i) = 0.0d0 ! rejects: ambiguous-pointer
  end do
end subroutine either
