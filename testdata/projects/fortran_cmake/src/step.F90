! One time step: into the array with a border, and back.
module stepping
  use sizes
  use fields, only: old => now, next
  implicit none
contains

  subroutine step
    integer :: i, j

    do j = 1, columns
      do i = 1, rows
        next(i, j) = old(i, j)
      end do
    end do
#ifdef WITH_EDGES
    call edges(rows, columns, next)
#endif
    do j = 1, columns
      do i = 1, rows
        old(i, j) = 0.25_dp * (next(i - 1, j) + next(i + 1, j) + next(i, j - 1) + next(i, j + 1))
      end do
    end do
  end subroutine step

end module stepping
