! An external subroutine that is given a column of an array.
subroutine call_it(n, a)
  implicit none
  integer, intent(in) :: n
  double precision, intent(inout) :: a(n, n)
  external :: relax
  integer :: j

  do j = 1, n
    call relax(n, a(1, j)) ! rejects: unknown-call
  end do
end subroutine call_it
