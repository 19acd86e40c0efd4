! s = A^T r and q = A p in one sweep over A, with subscripts that start at zero.
! -P m=38 -P n=42
subroutine kernel_bicg(m, n, a, s, q, p, r)
  implicit none
  integer, intent(in) :: m, n
  double precision, intent(in) :: a(0:n - 1, 0:m - 1), p(0:m - 1), r(0:n - 1)
  double precision, intent(out) :: s(0:m - 1), q(0:n - 1)
  integer :: i, j

  do i = 0, m - 1
    s(i) = 0.0d0
  end do
  do i = 0, n - 1
    q(i) = 0.0d0
    do j = 0, m - 1
      s(j) = s(j) + r(i) * a(i, j)
      q(i) = q(i) + a(i, j) * p(j)
    end do
  end do
end subroutine kernel_bicg
