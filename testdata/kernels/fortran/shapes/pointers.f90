! Pointers that a procedure sets for its caller, and lower bounds that come with what they point to.
! -P n=10
subroutine pointers(n, a)
  implicit none
  integer, intent(in) :: n
  double precision, intent(inout), target :: a(0:n - 1, n)
  double precision, pointer :: whole(:, :), column(:)
  integer :: i

  whole => a
  call choose(whole, column)
  do i = lbound(whole, 1), ubound(whole, 1)
    whole(i, 2) = column(i + 1)                 ! loads 10, stores 10
  end do
contains
  subroutine choose(from, to)
    double precision, pointer, intent(in) :: from(:, :)
    double precision, pointer, intent(out) :: to(:)

    to => from(:, 3)
  end subroutine choose
end subroutine pointers
