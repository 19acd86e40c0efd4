! A module with a stencil, a residual by a reduction, and a checking loop.
module solver
  implicit none
contains
  subroutine sweep(n, m, u, f, residual)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: u(n, m)
    real(8), intent(in) :: f(n, m)
    real(8), intent(out) :: residual
    integer :: i, j
    real(8) :: change

    residual = 0.0d0
    do j = 2, m - 1
      do i = 2, n - 1
        change = 0.25d0 * (u(i-1, j) + u(i+1, j) + u(i, j-1) + u(i, j+1) - f(i, j)) - u(i, j)
        residual = residual + change * change
        u(i, j) = u(i, j) + change
      end do
    end do
  end subroutine sweep

  real(8) function probe(n, m, u)
    integer, intent(in) :: n, m
    real(8), intent(in) :: u(n, m)
    integer :: i, j

    probe = 0.0d0
    do j = 1, m
      do i = 1, n
        probe = max(probe, abs(u(i, j)))
      end do
    end do
    probe = probe + u(5, 7) - u(n, 1)
  end function probe
end module solver
