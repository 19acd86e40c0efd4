! y = alpha*A*x + beta*B*x: two matrices side by side, each read once.
! -P n=30
subroutine kernel_gesummv(n, alpha, beta, a, b, tmp, x, y)
  implicit none
  integer, intent(in) :: n
  double precision, intent(in) :: alpha, beta
  double precision, intent(in) :: a(n, n), b(n, n)
  double precision :: tmp(n)
  double precision, intent(in) :: x(n)
  double precision, intent(out) :: y(n)
  integer :: i, j

  do i = 1, n
    tmp(i) = 0.0d0
    y(i) = 0.0d0
    do j = 1, n
      tmp(i) = a(i, j) * x(j) + tmp(i)
      y(i) = b(i, j) * x(j) + y(i)
    end do
    y(i) = alpha * tmp(i) + beta * y(i)
  end do
end subroutine kernel_gesummv
