C     x1 += A y1 by rows, then x2 += A^T y2 by columns; both nests end
C     on the label of their outer loop.
C     -P n=40
      SUBROUTINE KERNEL_MVT(N, X1, X2, Y_1, Y_2, A)
      INTEGER N
      DOUBLE PRECISION X1(N), X2(N), Y_1(N), Y_2(N), A(N,N)
      INTEGER I, J
      DO 10 I = 1, N
      DO 10 J = 1, N
   10 X1(I) = X1(I) + A(I,J) * Y_1(J)
      DO 20 I = 1, N
      DO 20 J = 1, N
         X2(I) = X2(I) + A(J,I) * Y_2(J)
   20 CONTINUE
      RETURN
      END
