! The number of iterations is decided by what the loop computes.
module iterations
  implicit none
contains
  subroutine until_small(n, error, a)
    integer, intent(in) :: n
    double precision, intent(in) :: error(1)
    double precision, intent(inout) :: a(0:n - 1)
    integer :: i

    i = 0
    do while (error(1) > 0.001d0) ! rejects: uncounted-loop
      a(i) = 0.5d0 * a(i)
      i = mod(i + 1, n)
    end do
  end subroutine until_small

  subroutine until_found(n, a, key)
    integer, intent(in) :: n
    double precision, intent(inout) :: a(n)
    double precision, intent(in) :: key
    integer :: i

    i = 1
    do ! rejects: uncounted-loop
      if (a(i) == key) exit
      a(i) = 0.0d0
      i = i + 1
    end do
  end subroutine until_found
end module iterations
