! A five-point stencil, back and forth between two arrays, in a module that says what a real is.
! -P tsteps=20 -P n=30
module stencils
  implicit none
  integer, parameter :: wp = kind(0.0d0)
  real(wp), parameter :: fifth = 0.2_wp
contains
  subroutine kernel_jacobi_2d(tsteps, n, a, b)
    integer, intent(in) :: tsteps, n
    real(wp), dimension(n, n), intent(inout) :: a, b
    integer :: t, i, j

    do t = 1, tsteps
      do i = 2, n - 1
        do j = 2, n - 1
          b(i, j) = fifth * (a(i, j) + a(i, j - 1) + a(i, 1 + j) + a(1 + i, j) + a(i - 1, j))
        end do
      end do
      do i = 2, n - 1
        do j = 2, n - 1
          a(i, j) = fifth * (b(i, j) + b(i, j - 1) + b(i, 1 + j) + b(1 + i, j) + b(i - 1, j))
        end do
      end do
    end do
  end subroutine kernel_jacobi_2d
end module stencils
