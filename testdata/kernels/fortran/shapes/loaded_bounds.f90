! Loops over the cells of each tile, whose bounds each tile has by itself.
! -P n=3 -P min(tiles(t)%first)=1 -P max(tiles(t)%last)=6
module tile_types
  implicit none
  type :: tile
    integer :: first, last
  end type tile
contains
  subroutine clear(first, last, a)
    integer, intent(in) :: first, last
    double precision, intent(inout) :: a(10)
    integer :: k
    do k = first, last
      a(k) = 0.0d0 ! stores 0 to 18
    end do
  end subroutine clear
end module tile_types

subroutine loaded_bounds(n, tiles, a)
  use tile_types
  implicit none
  integer, intent(in) :: n
  type(tile), intent(in) :: tiles(n)
  double precision, intent(inout) :: a(10)
  integer :: t

  do t = 1, n
    call clear(tiles(t)%first, tiles(t)%last, a) ! loads 6
  end do
end subroutine loaded_bounds
