! Shallow waves: arrays that take their shape from the caller, and components of a type.
module ocean_waves
  use, intrinsic :: iso_fortran_env, only: real64
  use ocean_grid, only: grid
  implicit none
  private
  public :: advance, flux

contains

  pure subroutine flux(depth, height, f)
    real(real64), intent(in) :: depth(:, :), height(:, :)
    real(real64), intent(out) :: f(:, :)
    integer :: i, j

    do j = 1, size(f, 2)
      do i = 1, size(f, 1)
        f(i, j) = depth(i, j) * (height(i + 1, j) - height(i, j))
      end do
    end do
  end subroutine flux

  subroutine advance(sea, dt)
    type(grid), intent(inout) :: sea
    real(real64), intent(in) :: dt
    real(real64) :: f(sea%nx - 1, sea%ny)
    integer :: j

    call flux(sea%depth, sea%height, f)
    associate (h => sea%height)
      do j = 1, sea%ny
        h(2:sea%nx - 1, j) = h(2:sea%nx - 1, j) + dt * (f(2:, j) - f(:sea%nx - 2, j))
      end do
    end associate
  end subroutine advance

end module ocean_waves
