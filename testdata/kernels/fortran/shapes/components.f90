! Components of arguments of derived types: allocatable, pointer and of fixed shape, nested, polymorphic, with extents of
! their own. Scalar components stay in registers, also where an array lies beside them.
! -P n=10 -P g%hi%isd=3 -P g%hi%ied=12 -P f%n=4 -P size(f%a,1)=10
module components_types
  implicit none
  type :: bounds
    integer :: isd, ied
  end type bounds
  type :: grid
    type(bounds) :: hi
    double precision, allocatable :: mask(:, :)
  end type grid
  type :: field
    integer :: n
    double precision, allocatable :: a(:, :)
    double precision, pointer :: p(:) => null()
  end type field
  type, extends(field) :: named_field
    character(len=8) :: name
    double precision :: b(20)
  end type named_field
contains
  subroutine components(g, f, s, h, n)
    type(grid), intent(in) :: g
    class(field), intent(inout) :: f
    type(named_field), intent(inout) :: s
    integer, intent(in) :: n
    double precision, intent(inout) :: h(g%hi%isd:g%hi%ied)
    integer :: i
    do i = g%hi%isd, g%hi%ied
      h(i) = h(i) * g%mask(i, 1)                ! loads 20, stores 10
    end do
    do i = 1, f%n
      f%a(i, 2) = f%a(i, 1)                     ! loads 4, stores 4
    end do
    do i = 1, n
      f%p(i) = s%b(i) * s%n                     ! loads 10, stores 10
      s%n = s%n + 1                             ! none
    end do
    call shift(s, n)
  end subroutine components

  subroutine shift(s, m)
    type(named_field), intent(inout) :: s
    integer, intent(in) :: m
    integer :: i
    s%n = m
    do i = 2, s%n
      s%b(i - 1) = s%b(i)                       ! loads 9, stores 9
    end do
  end subroutine shift
end module components_types
