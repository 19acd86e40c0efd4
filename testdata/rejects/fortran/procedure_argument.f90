! A procedure that the caller chooses, with an interface and without a body.
subroutine sweep(n, a, relax)
  implicit none
  integer, intent(in) :: n
  double precision, intent(inout) :: a(n, n)
  interface
    subroutine relax(n, column)
      integer, intent(in) :: n
      double precision, intent(inout) :: column(n)
    end subroutine relax
  end interface
  integer :: j

  do j = 1, n
    call relax(n, a(:, j)) ! rejects: unknown-call
  end do
end subroutine sweep
