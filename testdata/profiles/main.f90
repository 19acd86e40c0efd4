! Runs the kernels, and prints how often each array is accessed, counted by itself; what is loaded and stored counts once.
program main
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n), b(n), d(n), q(n), h(n), o(4), s, v
  integer :: i, k, last
  do i = 1, n
     a(i) = mod(i * 7919, 1000) / 1000d0
     d(i) = mod(i * 104729, 1000) / 1000d0
     q(i) = mod(i * 1299709, 1000) / 1000d0
     h(i) = mod(i * 15485863, 1000) / 1000d0
  end do
  b = 1
  o = 0
  s = 0
  call arms(n, a, b, b, d, b, s)
  call left(n, a, q, b, s)
  call halves(n, h, o)
  last = n
  do i = n, 1, -1
     if (q(i) > 0.99d0) last = i
  end do
  k = 0
  do i = 1, n
     v = h(i)
     do while (v > 0.1d0)
        k = k + 4
        v = v / 2
     end do
  end do
  print '(a, i0)', 'a ', n, 'b ', count(a > 0.3d0), 'c ', count(.not. a > 0.3d0)
  print '(a, i0)', 'd ', n, 'e ', count(d > 0.6d0)
  print '(a, i0)', 'p ', last, 'q ', last, 'r ', last - 1, 'h ', n, 'o ', k
end program
