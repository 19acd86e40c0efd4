! Gauss-Seidel of one dimension: the points at odd places, then those at even places.
! -P n=15
subroutine red_black(n, u, f)
  implicit none
  integer, intent(in) :: n
  double precision, intent(inout) :: u(0:n - 1)
  double precision, intent(in) :: f(0:n - 1)
  integer :: i

  do i = 1, n - 2, 2
    u(i) = f(i) + u(i - 1) + u(i + 1) ! loads 21, stores 7
  end do
  do i = 2, n - 2, 2
    u(i) = f(i) + u(i - 1) + u(i + 1) ! loads 18, stores 6
  end do
end subroutine red_black
