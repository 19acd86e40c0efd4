! y = A^T (A x): each row of A is read twice in a row, and lies across the columns.
! -P m=38 -P n=42
subroutine kernel_atax(m, n, a, x, y, tmp)
  implicit none
  integer, intent(in) :: m, n
  real(kind=8), intent(in) :: a(m, n), x(n)
  real(kind=8), intent(out) :: y(n), tmp(m)
  integer :: i, j

  do i = 1, n
    y(i) = 0
  end do
  do i = 1, m
    tmp(i) = 0.0
    do j = 1, n
      tmp(i) = tmp(i) + a(i, j) * x(j)
    end do
    do j = 1, n
      y(j) = y(j) + a(i, j) * tmp(i)
    end do
  end do
end subroutine kernel_atax
