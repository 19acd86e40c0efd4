! Intrinsic functions that read whole rows and columns.
! -P n=10
subroutine reductions(n, a, b, c)
  implicit none
  integer, intent(in) :: n
  double precision, intent(in) :: a(n, n), b(n, n)
  double precision, intent(out) :: c(n)
  integer :: i

  do i = 1, n
    c(i) = sum(a(:, i)) ! loads 100, stores 10
  end do
  do i = 1, n
    c(i) = dot_product(a(i, :), b(:, i)) + c(i) ! loads 210, stores 10
  end do
end subroutine reductions
