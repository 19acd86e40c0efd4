! Temperatures of a plate, allocated once and used wherever the module is.
module fields
  use sizes, only: dp, rows, columns
  implicit none
  private
  public :: allocate_fields, heat
  real(dp), allocatable, public, save :: now(:, :), next(:, :)

contains

  subroutine allocate_fields
    allocate (now(rows, columns), next(0:rows + 1, 0:columns + 1))
    now = 0.0_dp
    next = 0.0_dp
  end subroutine allocate_fields

  ! The sum of all temperatures.
  function heat() result(total)
    real(dp) :: total
    integer :: i, j

    total = 0.0_dp
    do j = 1, columns
      do i = 1, rows
        total = total + now(i, j)
      end do
    end do
  end function heat

end module fields
