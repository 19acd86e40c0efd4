! STOP and ERROR STOP: sizes decide where the program ends. Data decide too: that is assumed not to happen.
! -P n=30 -P m=12
subroutine stops_on_sizes(n, m, a, x)
  implicit none
  integer, intent(in) :: n, m
  double precision, intent(inout) :: a(n), x(n)
  integer :: i

  if (n < 1) error stop 'short'
  do i = 1, n
    if (x(i) < 0.0d0) stop 1 ! loads 30
    a(i) = 1.0d0 ! stores 30
  end do
  do i = 1, n
    if (i > m) then
      print *, i
      stop
    end if
    a(i) = 2.0d0 ! stores 12
  end do
  do i = 1, n
    a(i) = 3.0d0
  end do
end subroutine
