! Constructors and RESHAPE store one element after the other; products of matrices and rearranged
! arrays within an expression are arrays of their own.
! -P n=10
subroutine constructors(n, x, y, m)
  implicit none
  integer, intent(in) :: n
  double precision, intent(inout) :: x(100), y(100), m(n, 4)
  double precision :: scale
  integer :: i

  scale = 0.5d0
  x(1:3) = [y(2), scale, y(4)] ! loads 2, stores 3
  x(1:4) = [scale, -scale, 1.0d0, 2 * scale] ! stores 4
  x(1:n) = [(y(2 * i), i = 1, n)] ! loads 10, stores 10
  x(1:2 * n + 1) = [y(1:n), scale, y(n + 1:2 * n)] ! loads 20, stores 21
  m = reshape(y(1:4 * n), [n, 4]) ! loads 40, stores 40
  x(1:4 * n) = reshape(m, [4 * n]) ! loads 40, stores 40
end subroutine constructors
