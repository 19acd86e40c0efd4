! A three-point stencil, back and forth between two arrays.
! -P tsteps=20 -P n=30
subroutine kernel_jacobi_1d(tsteps, n, a, b)
  implicit none
  integer, intent(in) :: tsteps, n
  double precision, intent(inout) :: a(n), b(n)
  integer :: t, i

  do t = 1, tsteps
    do i = 2, n - 1
      b(i) = 0.33333d0 * (a(i - 1) + a(i) + a(i + 1))
    end do
    do i = 2, n - 1
      a(i) = 0.33333d0 * (b(i - 1) + b(i) + b(i + 1))
    end do
  end do
end subroutine kernel_jacobi_1d
