! D = alpha*A*B*C + beta*D: the product of the first nest is the operand of the second.
! -P ni=16 -P nj=18 -P nk=22 -P nl=24
subroutine kernel_2mm(ni, nj, nk, nl, alpha, beta, tmp, a, b, c, d)
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  integer, intent(in) :: ni, nj, nk, nl
  real(real64), intent(in) :: alpha, beta
  real(real64), intent(out) :: tmp(ni, nj)
  real(real64), intent(in) :: a(ni, nk), b(nk, nj), c(nj, nl)
  real(real64), intent(inout) :: d(ni, nl)
  integer :: i, j, k

  do i = 1, ni
    do j = 1, nj
      tmp(i, j) = 0.0_real64
      do k = 1, nk
        tmp(i, j) = tmp(i, j) + alpha * a(i, k) * b(k, j)
      end do
    end do
  end do
  do i = 1, ni
    do j = 1, nl
      d(i, j) = d(i, j) * beta
      do k = 1, nj
        d(i, j) = d(i, j) + tmp(i, k) * c(k, j)
      end do
    end do
  end do
end subroutine kernel_2mm
