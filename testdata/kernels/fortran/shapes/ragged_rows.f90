! An array of a derived type whose component is allocatable: rows that an argument leads to, and rows that a loop
! allocates. Each reference to a row loads its descriptor's address first.
! -P n=10
module ragged
  type row
    real(8), allocatable :: v(:)
  end type
end module

subroutine ragged_rows(n, a)
  use ragged
  integer, intent(in) :: n
  type(row), intent(in) :: a(n)
  type(row), allocatable :: b(:)
  integer :: i, j
  allocate(b(n))
  do i = 1, n
    allocate(b(i)%v(n)) ! loads 10, stores 20
  end do
  do j = 1, n
    do i = 1, n
      b(i)%v(j) = a(i)%v(j) ! loads 300, stores 100
    end do
  end do
end subroutine
