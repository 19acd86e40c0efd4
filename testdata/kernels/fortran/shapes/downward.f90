! Steps other than one, in both directions, and what the variable is after the loop.
! -P n=10
subroutine downward(n, a, b)
  implicit none
  integer, intent(in) :: n
  double precision, intent(inout) :: a(n), b(0:n - 1)
  integer :: i

  do i = n, 1, -1
    a(i) = 0.0d0 ! stores 10
  end do
  a(i + 1) = 3.0d0 ! stores 1
  do i = n, 2, -3
    b(i - 1) = a(i) ! loads 3, stores 3
  end do
  a(i) = 1.0d0 ! stores 1
  do i = 1, n, 4
    b(i) = 1.0d0 ! stores 3
  end do
  do i = n, 1
    a(i) = 7.0d0 ! none
  end do
end subroutine downward
