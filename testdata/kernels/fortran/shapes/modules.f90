! Variables of the same name in two modules are two arrays, also with one that
! has the name and belongs to the procedure.
! -P n=10
module coarse
  double precision :: weight(100)
end module
module fine
  double precision :: weight(100, 3)
end module
subroutine modules(n, a)
  use coarse, only: weight
  use fine, only: other => weight
  integer :: n, i
  double precision :: a(n)
  do i = 1, n
    a(i) = weight(i) ! loads 10, stores 10
  end do
  call inner
  do i = 1, n
    a(i) = a(i) * other(i, 2) ! loads 20, stores 10
  end do
contains
  subroutine inner
    use fine, only: weight
    integer :: j
    do j = 1, n
      weight(j, 2) = weight(j, 2) + 1.0d0 ! loads 10, stores 10
    end do
  end subroutine
end subroutine
