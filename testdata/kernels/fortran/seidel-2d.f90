! A nine-point stencil in place, on a grid that is declared with its border at zero.
! -P tsteps=20 -P n=40
subroutine kernel_seidel_2d(tsteps, n, a)
  implicit none
  integer, intent(in) :: tsteps, n
  double precision, intent(inout) :: a(0:n - 1, 0:n - 1)
  integer :: t, i, j

  do t = 0, tsteps - 1
    do i = 1, n - 2
      do j = 1, n - 2
        a(i, j) = (a(i - 1, j - 1) + a(i - 1, j) + a(i - 1, j + 1) &
                 + a(i, j - 1) + a(i, j) + a(i, j + 1) &
                 + a(i + 1, j - 1) + a(i + 1, j) + a(i + 1, j + 1)) / 9.0d0
      end do
    end do
  end do
end subroutine kernel_seidel_2d
