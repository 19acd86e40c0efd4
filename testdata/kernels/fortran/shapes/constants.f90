! Named constants that are arrays have the bounds and dimensions that are
! declared, and sections as other arrays have.
! -P n=10
module tables
  double precision, parameter :: weight(2, 3) = reshape((/ 1d0, 2d0, 3d0, 4d0, 5d0, 6d0 /), (/ 2, 3 /))
  double precision, parameter :: same(50) = 2d0
end module
subroutine constants(n, a, b)
  use tables
  integer :: n, i, j
  double precision :: a(n), b(50)
  double precision, parameter :: near(0:2) = (/ 1d0, 2d0, 3d0 /)
  do i = 1, n
    do j = 1, 3
      a(i) = a(i) + weight(2, j) + near(j - 1) ! loads 90, stores 30
    end do
  end do
  b(:) = same(:) ! loads 50, stores 50
end subroutine
