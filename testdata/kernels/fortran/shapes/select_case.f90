! Arms that a loop's variable selects, and those that IF does.
! -P n=10
subroutine select_case(n, a, b)
  implicit none
  integer, intent(in) :: n
  double precision, intent(inout) :: a(n), b(n)
  integer :: i

  do i = 1, n
    select case (mod(i, 4))
    case (0)
      a(i) = 0.0d0 ! stores 2
    case (1, 2)
      a(i) = b(i) ! loads 6, stores 6
    case default
      b(i) = b(i) + a(i) ! loads 4, stores 2
    end select
  end do
  do i = 1, n
    if (i == 1 .or. i == n) then
      a(i) = 1.0d0 ! stores 2
    else if (i > 5) then
      a(i) = b(i) ! loads 4, stores 4
    end if
    if (mod(i, 2) == 0) b(i) = 0.0d0 ! stores 5
  end do
end subroutine select_case
