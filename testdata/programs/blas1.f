C     Level 1 routines with increments and unrolled loops.
      SUBROUTINE DAXPY(N, DA, DX, INCX, DY, INCY)
      INTEGER N, INCX, INCY, I, IX, IY, M
      DOUBLE PRECISION DA, DX(*), DY(*)
      IF (N .LE. 0) RETURN
      IF (INCX .EQ. 1 .AND. INCY .EQ. 1) THEN
         M = MOD(N, 4)
         DO I = 1, M
            DY(I) = DY(I) + DA*DX(I)
         END DO
         DO I = M + 1, N, 4
            DY(I) = DY(I) + DA*DX(I)
            DY(I+1) = DY(I+1) + DA*DX(I+1)
            DY(I+2) = DY(I+2) + DA*DX(I+2)
            DY(I+3) = DY(I+3) + DA*DX(I+3)
         END DO
      ELSE
         IX = 1
         IY = 1
         DO I = 1, N
            DY(IY) = DY(IY) + DA*DX(IX)
            IX = IX + INCX
            IY = IY + INCY
         END DO
      END IF
      END

      DOUBLE PRECISION FUNCTION DDOT5(N, DX, DY)
      INTEGER N, I, M
      DOUBLE PRECISION DX(*), DY(*), T
      T = 0.0D0
      M = MOD(N, 5)
      IF (M .NE. 0) THEN
         DO 10 I = 1, M
            T = T + DX(I)*DY(I)
   10    CONTINUE
      END IF
      DO 20 I = M + 1, N, 5
         T = T + DX(I)*DY(I) + DX(I+1)*DY(I+1) + DX(I+2)*DY(I+2)
     &      + DX(I+3)*DY(I+3) + DX(I+4)*DY(I+4)
   20 CONTINUE
      DDOT5 = T
      END

      SUBROUTINE DGER1(M, N, X, Y, A, LDA)
      INTEGER M, N, LDA, I, J
      DOUBLE PRECISION X(*), Y(*), A(LDA, *)
      DO 30 J = 1, N
         DO 40 I = 1, M
            A(I, J) = A(I, J) + X(I)*Y(J)
   40    CONTINUE
   30 CONTINUE
      END
