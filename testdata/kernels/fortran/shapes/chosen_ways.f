C     What an arm leaves that goes on, where the other one returns.
C     -P n=10
      SUBROUTINE FILL(N, WAY, A)
      INTEGER N, WAY, I, FIRST, LAST
      DOUBLE PRECISION A(N)
      IF (WAY.GT.0) THEN
        FIRST = 1
        LAST = N
      ELSE IF (WAY.LT.0) THEN
        FIRST = N/2 + 1
        LAST = N
      ELSE
        RETURN
      END IF
      DO 10 I = FIRST, LAST
        A(I) = 1.0D0 ! stores 15
   10 CONTINUE
      END

      INTEGER FUNCTION PICK(N, L)
      INTEGER N, L, M
      IF (N.GT.20) THEN
        M = 5
        PICK = 1
      ELSE IF (N.GT.5) THEN
        PICK = 3
        L = 7
        M = 2
        RETURN
      ELSE
        PICK = 0
        RETURN
      END IF
      PICK = PICK + M
      L = M
      END

      SUBROUTINE WAYS(N, A, B)
      INTEGER N, WAY, L, M, I, PICK
      DOUBLE PRECISION A(N), B(N)
      DO 10 WAY = -1, 1
        CALL FILL(N, WAY, A)
   10 CONTINUE
      L = 1
      M = PICK(N, L)
      DO 20 I = 1, M
        B(I) = 2.0D0 ! stores 3
   20 CONTINUE
      DO 30 I = 1, L
        B(I) = 3.0D0 ! stores 7
   30 CONTINUE
      M = PICK(3*N, L)
      DO 40 I = L, M
        B(I) = 4.0D0 ! stores 2
   40 CONTINUE
      M = PICK(N/4, L)
      DO 50 I = M + 1, L
        B(I) = 5.0D0 ! stores 5
   50 CONTINUE
      END
