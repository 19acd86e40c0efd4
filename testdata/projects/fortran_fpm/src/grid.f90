! A grid whose sizes are known when the program runs.
module ocean_grid
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  private

  type, public :: grid
    integer :: nx = 0, ny = 0
    real(real64), allocatable :: depth(:, :)
    real(real64), allocatable :: height(:, :)
  end type grid

  public :: new_grid

contains

  function new_grid(nx, ny) result(self)
    integer, intent(in) :: nx, ny
    type(grid) :: self

    self%nx = nx
    self%ny = ny
    allocate (self%depth(nx, ny), source=1.0_real64)
    allocate (self%height(nx, ny))
    self%height(:, :) = 0.0_real64
  end function new_grid

end module ocean_grid
