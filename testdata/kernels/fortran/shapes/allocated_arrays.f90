! Arrays that are allocated, or optional: whether they are there is a size of 0 or 1.
! -P n=10 -P present(mask)=1 -P allocated(factor)=0
module factors
  implicit none
  double precision, allocatable :: factor(:)
contains
  subroutine scale_by(n, x, mask)
    integer, intent(in) :: n
    double precision, intent(inout) :: x(n)
    double precision, intent(in), optional :: mask(n)
    integer :: i

    if (.not. allocated(factor)) then
      allocate(factor(n))
      do i = 1, n
        factor(i) = 1.0d0 / i ! stores 10
      end do
    end if
    do i = 1, n
      x(i) = factor(i) * x(i) ! loads 20, stores 10
    end do
    if (present(mask)) then
      do i = 1, n
        x(i) = x(i) * mask(i) ! loads 20, stores 10
      end do
    end if
  end subroutine scale_by
end module factors
