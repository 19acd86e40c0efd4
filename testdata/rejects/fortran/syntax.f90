! Text that is no Fortran; what stands beside it is read all the same.
subroutine broken(n, a)
  implicit none
  integer, intent(in) :: n
  double precision, intent(inout) :: a(n)
  integer :: i

  do i = 1, n
    a(i) = 1.0d0 + ) ! rejects: syntax
  end do
end subroutine broken

subroutine sound(n, a)
  implicit none
  integer, intent(in) :: n
  double precision, intent(inout) :: a(n)
  integer :: i

  do i = 1, n
    a(i) = 1.0d0
  end do
end subroutine sound
