! One array by rows, the other by columns: it is the loads that jump here.
! -P n=100
pure subroutine transpose(n, a, b)
  implicit none
  integer, intent(in) :: n
  double precision, intent(in) :: a(n, n)
  double precision, intent(out) :: b(n, n)
  integer :: i, j

  do i = 1, n
    do j = 1, n
      b(j, i) = a(i, j)
    end do
  end do
end subroutine transpose
