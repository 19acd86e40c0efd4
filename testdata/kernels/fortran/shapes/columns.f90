! Procedures that are given a column by its first element, a section, and a whole array in another
! shape.
! -P n=10 -P m=0
subroutine columns(n, a)
  implicit none
  integer, intent(in) :: n
  double precision, intent(inout) :: a(n, n)
  integer :: j

  do j = 1, n
    call scale(n, 2.0d0, a(1, j))
  end do
  call scale(n - 1, 3.0d0, a(2:n, n))
  call scale(n * n, 4.0d0, a)

contains

  subroutine scale(m, factor, x)
    integer, intent(in) :: m
    double precision, intent(in) :: factor
    double precision, intent(inout) :: x(*)
    integer :: i

    do i = 1, m
      x(i) = factor * x(i) ! loads 209, stores 209
    end do
  end subroutine scale
end subroutine columns
