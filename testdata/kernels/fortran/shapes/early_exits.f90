! Loops that data end early: what comes before the exit is certain once, and what comes after it is possible.
! -P n=8
subroutine early_exits(n, x, y, a)
  implicit none
  integer, intent(in) :: n
  double precision, intent(in) :: x(n), a(n, n)
  double precision, intent(inout) :: y(n)
  integer :: i, j

  do i = 1, n
    if (x(i) > 3.0d0) exit ! loads 1 to 8
    y(i) = x(i)            ! loads 0 to 8, stores 0 to 8
  end do
  do i = 1, n
    if (x(i) < 0.0d0) cycle ! loads 8
    y(i) = y(i) + 1.0d0     ! loads 0 to 8, stores 0 to 8
  end do
  rows: do i = 1, n
    do j = 1, n
      if (a(i, j) == 0.0d0) exit rows ! loads 1 to 64
    end do
    y(i) = 0.0d0 ! stores 0 to 8
  end do rows
  do i = 1, n
    if (y(i) > 1.0d6) return ! loads 1 to 8
    y(i) = 0.0d0             ! stores 0 to 8
  end do
  y(1) = 1.0d0 ! stores 0 to 1
end subroutine early_exits
