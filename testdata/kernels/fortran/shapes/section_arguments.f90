! Sections as arguments: one that lies in one piece is passed as it is; another one as a copy, filled before
! the call and, where the procedure changes it, stored back after.
! -P n=10
module takers
  implicit none
contains
  subroutine sums(n, m, v, s)
    integer, intent(in) :: n, m
    double precision, intent(in) :: v(n, m)
    double precision, intent(inout) :: s(*)
    integer :: i, j

    do j = 1, m
      do i = 1, n
        s(i) = s(i) + v(i, j)                       ! loads 304, stores 152
      end do
    end do
  end subroutine sums

  subroutine doubles(n, v)
    integer, intent(in) :: n
    double precision, intent(inout) :: v(n)
    integer :: i

    do i = 1, n
      v(i) = 2.0d0 * v(i)                           ! loads 10, stores 10
    end do
  end subroutine doubles
end module takers

subroutine section_arguments(n, a, c)
  use takers
  implicit none
  integer, intent(in) :: n
  double precision, intent(inout) :: a(n, n), c(n)

  call sums(n - 1, n - 2, a(1:n - 1, 2:n - 1), c)   ! loads 72, stores 72
  call sums(n, n - 2, a(:, 2:n - 1), c)
  call doubles(n, a(3, :))                          ! loads 20, stores 20
end subroutine section_arguments
