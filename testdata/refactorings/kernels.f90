! Four kernels that refactorings are tried on.
subroutine smooth(n, grid, next)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: grid(n, n)
  real(8), intent(out) :: next(n, n)
  integer :: i, j
  do j = 2, n - 1
    do i = 2, n - 1
      next(i, j) = 0.25d0 * (grid(i - 1, j) + grid(i + 1, j) + grid(i, j - 1) + grid(i, j + 1))
    end do
  end do
end subroutine smooth

subroutine multiply(n, a, b, c)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n, n), b(n, n)
  real(8), intent(inout) :: c(n, n)
  integer :: i, j, k
  do j = 1, n
    do k = 1, n
      do i = 1, n
        c(i, j) = c(i, j) + a(i, k) * b(k, j)
      end do
    end do
  end do
end subroutine multiply

subroutine gather(m, list, x, y)
  implicit none
  integer, intent(in) :: m
  integer, intent(in) :: list(m)
  real(8), intent(in) :: x(*)
  real(8), intent(out) :: y(m)
  integer :: i
  do i = 1, m
    y(i) = x(list(i))
  end do
end subroutine gather

subroutine total(s)
  implicit none
  integer, parameter :: size = 64
  real(8), intent(out) :: s
  real(8) :: field(size, size)
  common /fields/ field
  integer :: i, j
  s = 0
  do j = 1, size
    do i = 1, size
      s = s + field(i, j)
    end do
  end do
end subroutine total
