C     Loops of fixed form with labels, increments and early return.
      SUBROUTINE SAXPY(N, A, X, INCX, Y, INCY)
      INTEGER N, INCX, INCY, I, IX, IY
      REAL A, X(*), Y(*)
      IF (N .LE. 0) RETURN
      IF (A .EQ. 0.0) RETURN
      IF (INCX .EQ. 1 .AND. INCY .EQ. 1) THEN
         DO 10 I = 1, N
            Y(I) = Y(I) + A * X(I)
   10    CONTINUE
      ELSE
         IX = 1
         IY = 1
         DO 20 I = 1, N
            Y(IY) = Y(IY) + A * X(IX)
            IX = IX + INCX
            IY = IY + INCY
   20    CONTINUE
      END IF
      END
