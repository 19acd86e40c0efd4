! A three-dimensional array times a matrix, through a vector that holds one fibre.
! -P nr=10 -P nq=8 -P np=12
module tensor
  implicit none
  private
  public :: kernel_doitgen
  integer, parameter, public :: dp = selected_real_kind(15, 307)

contains

  subroutine kernel_doitgen(nr, nq, np, a, c4, sum)
    integer, intent(in) :: nr, nq, np
    real(dp), intent(inout) :: a(nr, nq, np)
    real(dp), intent(in) :: c4(np, np)
    real(dp), intent(out) :: sum(np)
    integer :: r, q, p, s

    do r = 1, nr
      do q = 1, nq
        do p = 1, np
          sum(p) = 0.0_dp
          do s = 1, np
            sum(p) = sum(p) + a(r, q, s) * c4(s, p)
          end do
        end do
        do p = 1, np
          a(r, q, p) = sum(p)
        end do
      end do
    end do
  end subroutine kernel_doitgen

end module tensor
