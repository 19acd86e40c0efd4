! G = (A*B)*(C*D): three products, the last of two results; the loops have names.
! -P ni=16 -P nj=18 -P nk=20 -P nl=22 -P nm=24
subroutine kernel_3mm(ni, nj, nk, nl, nm, e, a, b, f, c, d, g)
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, intent(in) :: ni, nj, nk, nl, nm
  real(dp), dimension(ni, nj), intent(out) :: e
  real(dp), dimension(ni, nk), intent(in) :: a
  real(dp), dimension(nk, nj), intent(in) :: b
  real(dp), dimension(nj, nl), intent(out) :: f
  real(dp), dimension(nj, nm), intent(in) :: c
  real(dp), dimension(nm, nl), intent(in) :: d
  real(dp), dimension(ni, nl), intent(out) :: g
  integer :: i, j, k

  first: do i = 1, ni
    do j = 1, nj
      e(i, j) = 0.0_dp
      do k = 1, nk
        e(i, j) = e(i, j) + a(i, k) * b(k, j)
      enddo
    enddo
  enddo first
  second: do i = 1, nj
    do j = 1, nl
      f(i, j) = 0.0_dp
      do k = 1, nm
        f(i, j) = f(i, j) + c(i, k) * d(k, j)
      enddo
    enddo
  enddo second
  third: do i = 1, ni
    do j = 1, nl
      g(i, j) = 0.0_dp
      do k = 1, nj
        g(i, j) = g(i, j) + e(i, k) * f(k, j)
      enddo
    enddo
  enddo third
end subroutine kernel_3mm
