! Innermost loops, each with what it may be as a vector: `vector:` in the line of its header.
subroutine axpy(n, alpha, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: alpha, x(n)
  real(8), intent(inout) :: y(n)
  integer :: i
  do i = 1, n ! vector: yes
    y(i) = y(i) + alpha * x(i)
  end do
end subroutine

real(8) function dot(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), y(n)
  real(8) :: s
  integer :: i
  s = 0
  do i = 1, n ! vector: reduction of s
    s = s + x(i) * y(i)
  end do
  dot = s
end function

subroutine prefix(n, x)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  integer :: i
  do i = 2, n ! vector: no: flow 1
    x(i) = x(i) + x(i - 1)
  end do
  do i = 5, n ! vector: yes, at most 4
    x(i) = x(i - 4) + 1
  end do
  do i = 1, n - 1 ! vector: yes
    x(i) = x(i + 1)
  end do
end subroutine

subroutine recurrence(n, x, p)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(in) :: p
  real(8) :: t, last
  integer :: i
  last = p
  do i = 1, n ! vector: no: scalar last
    t = x(i)
    x(i) = last
    last = t
  end do
end subroutine

subroutine indirect(n, x, y, k)
  integer, intent(in) :: n, k(n)
  real(8), intent(inout) :: x(n), y(n)
  integer :: i
  do i = 1, n ! vector: no: scatter
    x(k(i)) = y(i)
  end do
  do i = 1, n ! vector: yes
    x(i) = y(k(i))
  end do
  do i = 1, n ! vector: yes, masked
    if (x(i) > 0) y(i) = sqrt(x(i))
  end do
end subroutine

subroutine solve(n, a, x)
  integer, intent(in) :: n
  real(8), intent(in) :: a(n, n)
  real(8), intent(inout) :: x(n)
  integer :: i, j
  do j = 1, n
    x(j) = x(j) / a(j, j)
    do i = j + 1, n ! vector: yes
      x(i) = x(i) - x(j) * a(i, j)
    end do
  end do
end subroutine

real(8) function largest(n, x)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  integer :: i
  largest = x(1)
  do i = 2, n ! vector: reduction of largest
    largest = max(largest, x(i))
  end do
end function

subroutine strided(n, x, incx, y)
  integer, intent(in) :: n, incx
  real(8), intent(in) :: x(*)
  real(8), intent(inout) :: y(n)
  integer :: i, ix
  ix = 1
  do i = 1, n ! vector: yes
    y(i) = x(ix)
    ix = ix + incx
  end do
end subroutine
