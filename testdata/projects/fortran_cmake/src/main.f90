! A plate that is warm at two edges.
program plate
  use sizes, only: dp, steps
  use fields, only: allocate_fields, heat
  use stepping, only: step
  implicit none
  integer :: t

  call allocate_fields
  call warm(40.0_dp)
  do t = 1, steps
    call step
  end do
  print '(f0.6)', heat()
end program plate
