! Three pairs of arrays that each step exchanges, in either arm, through pointers that are null before the first call.
! -P n=10
subroutine exchanged_pairs(n, u1, u2, v1, v2, p1, p2)
  implicit none
  integer, intent(in) :: n
  double precision, intent(inout), target :: u1(n), u2(n), v1(n), v2(n), p1(n), p2(n)
  double precision, pointer :: u(:) => null(), u_new(:) => null(), v(:) => null(), v_new(:) => null()
  double precision, pointer :: p(:) => null(), p_new(:) => null()
  integer :: step, i

  u => u1
  u_new => u2
  v => v1
  v_new => v2
  p => p1
  p_new => p2
  do step = 1, 5
    do i = 1, n
      u_new(i) = u(i) + p(i)                    ! loads 100, stores 50
      v_new(i) = v(i) - p(i)                    ! loads 100, stores 50
    end do
    do i = 2, n
      p_new(i) = u(i - 1) + v(i - 1)            ! loads 90, stores 45
    end do
    if (step > 2) then
      p_new(1) = p(1)                           ! loads 3, stores 3
      call swap(u, u_new)
      call swap(v, v_new)
      call swap(p, p_new)
    else
      call swap(u, u_new)
      call swap(v, v_new)
      call swap(p, p_new)
    end if
  end do
  do i = 1, n
    u(i) = v(i)                                 ! loads 10, stores 10
  end do
contains
  subroutine swap(a, b)
    double precision, pointer, intent(inout) :: a(:), b(:)
    double precision, pointer :: t(:)

    t => a
    a => b
    b => t
  end subroutine swap
end subroutine exchanged_pairs
