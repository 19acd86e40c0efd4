! Statements on sections of arrays, element by element in the order of memory.
! -P n=10
subroutine sections(n, a, b, c)
  implicit none
  integer, intent(in) :: n
  double precision, intent(inout) :: a(n, n), c(n)
  double precision, intent(in) :: b(n, n)

  a(:, 1) = 2.0d0 * c                           ! loads 10, stores 10
  a(2:n, 2) = b(1:n - 1, n)                     ! loads 9, stores 9
  c(1:n:2) = b(1, n:2:-2)                       ! loads 5, stores 5
  a(:, 3:4) = b(:, 1:2) + b(:, 3:4)             ! loads 40, stores 20
  c = 1.0d0                                     ! stores 10
  c(2:n) = c(2:n) + a(3, 2:n)                   ! loads 18, stores 9
end subroutine sections
