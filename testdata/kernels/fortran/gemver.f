C     Two rank-one updates, then A^T y by columns and A x by rows. Its
C     statements go on in lines marked in column six.
C     -P n=40
      SUBROUTINE KERNEL_GEMVER(N, ALPHA, BETA, A, U1, V1, U2, V2,
     &                         W, X, Y, Z)
      INTEGER N
      DOUBLE PRECISION ALPHA, BETA
      DOUBLE PRECISION A(N,N), U1(N), V1(N), U2(N), V2(N),
     1                 W(N), X(N), Y(N), Z(N)
      INTEGER I, J
      DO 20 I = 1, N
         DO 10 J = 1, N
            A(I,J) = A(I,J)
     +             + U1(I) * V1(J)
     +             + U2(I) * V2(J)
   10    CONTINUE
   20 CONTINUE
      DO 40 I = 1, N
         DO 30 J = 1, N
            X(I) = X(I) + BETA * A(J,I) * Y(J)
   30    CONTINUE
   40 CONTINUE
      DO 50 I = 1, N
         X(I) = X(I) + Z(I)
   50 CONTINUE
      DO 70 I = 1, N
         DO 60 J = 1, N
            W(I) = W(I) + ALPHA * A(I,J) * X(J)
   60    CONTINUE
   70 CONTINUE
      END
