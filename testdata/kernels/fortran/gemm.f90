! C = alpha*A*B + beta*C: the innermost loop runs along rows, across the columns in memory.
! -P ni=20 -P nj=25 -P nk=30
subroutine kernel_gemm(ni, nj, nk, alpha, beta, c, a, b)
  implicit none
  integer, intent(in) :: ni, nj, nk
  double precision, intent(in) :: alpha, beta
  double precision, intent(inout) :: c(ni, nj)
  double precision, intent(in) :: a(ni, nk), b(nk, nj)
  integer :: i, j, k

  do i = 1, ni
    do j = 1, nj
      c(i, j) = c(i, j) * beta
    end do
    do k = 1, nk
      do j = 1, nj
        c(i, j) = c(i, j) + alpha * a(i, k) * b(k, j)
      end do
    end do
  end do
end subroutine kernel_gemm
