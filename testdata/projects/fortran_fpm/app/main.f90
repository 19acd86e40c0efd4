! Ten steps of a small sea.
program ocean
  use, intrinsic :: iso_fortran_env, only: real64
  use ocean_grid, only: grid, new_grid
  use ocean_waves, only: advance
  implicit none
  type(grid) :: sea
  integer :: t

  sea = new_grid(24, 16)
  sea%height(12, :) = 1.0_real64
  do t = 1, 10
    call advance(sea, 0.1_real64)
  end do
  print '(f0.6)', sum(sea%height)
end program ocean
