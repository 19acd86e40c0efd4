! What all files agree on.
module sizes
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  integer, parameter :: rows = 20, columns = 30
  integer, parameter :: steps = 4
end module sizes
