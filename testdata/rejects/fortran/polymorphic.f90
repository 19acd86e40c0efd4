! A call that is bound to a procedure only when the program runs.
module smoothers
  implicit none
  type, abstract :: smoother
  contains
    procedure(smooth_row), deferred :: smooth
  end type smoother

  abstract interface
    subroutine smooth_row(self, row)
      import :: smoother
      class(smoother), intent(in) :: self
      double precision, intent(inout) :: row(:)
    end subroutine smooth_row
  end interface
contains
  subroutine smooth_all(n, chosen, a)
    integer, intent(in) :: n
    class(smoother), intent(in) :: chosen
    double precision, intent(inout) :: a(n, n)
    integer :: i

    do i = 1, n
      call chosen%smooth(a(:, i)) ! rejects: unknown-call
    end do
  end subroutine smooth_all
end module smoothers
