! C += A A^T, lower triangle only.
! -P m=20 -P n=30
subroutine kernel_syrk(m, n, alpha, beta, c, a)
  implicit none
  integer, intent(in) :: m, n
  double precision, intent(in) :: alpha, beta
  double precision, intent(inout), dimension(n, n) :: c
  double precision, intent(in), dimension(n, m) :: a
  integer :: i, j, k

  do i = 1, n
    do j = 1, i
      c(i, j) = c(i, j) * beta
    end do
    do k = 1, m
      do j = 1, i
        c(i, j) = c(i, j) + alpha * a(i, k) * a(j, k)
      end do
    end do
  end do
end subroutine kernel_syrk
