! Explicit heat equation with a residual, as a module.
module heat
  implicit none
contains
  subroutine init(n, m, u)
    integer, intent(in) :: n, m
    real(8), intent(out) :: u(0:n+1, 0:m+1)
    u = 0.0d0
    u(0, :) = 1.0d0
    u(n+1, :) = 1.0d0
  end subroutine

  subroutine step(n, m, u, v, resid)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: u(0:n+1, 0:m+1), v(0:n+1, 0:m+1)
    real(8), intent(out) :: resid
    integer :: i, j
    resid = 0.0d0
    do j = 1, m
      do i = 1, n
        v(i, j) = 0.25d0 * (u(i-1, j) + u(i+1, j) + u(i, j-1) + u(i, j+1))
        resid = max(resid, abs(v(i, j) - u(i, j)))
      end do
    end do
    u(1:n, 1:m) = v(1:n, 1:m)
  end subroutine

  subroutine periodic(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v(n)
    integer :: i, l, r
    do i = 1, n
      l = mod(i - 2 + n, n) + 1
      r = mod(i, n) + 1
      v(i) = u(l) + u(r) - 2 * u(i)
    end do
  end subroutine
end module
