! Allocated arrays, a call of SYSTEM_CLOCK on either side, and elements printed.
program wavefront
  implicit none
  integer, parameter :: n = 300
  real(8), allocatable :: a(:,:)
  integer :: i, j
  integer(8) :: start, finish, rate

  allocate(a(n, n))
  a = 0.0d0
  do i = 1, n
    a(i, 1) = i
    a(1, i) = i
  end do
  call system_clock(start, rate)
  do j = 2, n
    do i = 2, n
      a(i, j) = 0.5d0 * (a(i - 1, j) + a(i, j - 1))
    end do
  end do
  call system_clock(finish)
  print *, 'seconds', real(finish - start) / rate
  print *, a(n, n), a(8, 6), sum(a)
  deallocate(a)
end program wavefront
