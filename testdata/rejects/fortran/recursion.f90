! A subroutine that calls itself.
recursive subroutine halves(n, a)
  implicit none
  integer, intent(in) :: n
  double precision, intent(inout) :: a(n)
  integer :: i

  do i = 1, n
    a(i) = a(i) + 1.0d0
  end do
  if (n > 1) then
    call halves(n / 2, a) ! rejects: recursion
  end if
end subroutine halves
