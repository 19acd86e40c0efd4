! What kernels.c has, in Fortran: arms, a loop that is left, and one that runs an unknown number of times.
subroutine arms(n, a, b, c, d, e, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n), b(n), c(n), d(n), e(n)
  real(8), intent(inout) :: s
  integer :: i
  do i = 1, n
     if (a(i) > 0.3d0) then
        s = s + b(i) * 2
     else
        s = s - c(i)
     end if
  end do
  do i = 1, n
     if (d(i) > 0.6d0) s = s + e(i)
  end do
end subroutine

subroutine left(n, p, q, r, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: p(n), q(n), r(n)
  real(8), intent(inout) :: s
  integer :: i
  do i = 1, n
     s = s + p(i)
     if (q(i) > 0.99d0) exit
     s = s + r(i) * 2
  end do
end subroutine

subroutine halves(n, h, o)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: h(n)
  real(8), intent(inout) :: o(4)
  real(8) :: v
  integer :: i, j
  do i = 1, n
     v = h(i)
     do while (v > 0.1d0)
        do j = 1, 4
           o(j) = o(j) + v * 2
        end do
        v = v * 0.5d0
     end do
  end do
end subroutine
