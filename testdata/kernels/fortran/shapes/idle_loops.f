C     A loop that accesses nothing, as often as data say, decides on no access.
C     -P n=10
      SUBROUTINE IDLE(N, X)
      INTEGER N, K, I, J
      DOUBLE PRECISION X(N), B

      DO 30 I = 1, N
        K = 0
        B = X(I)                                 ! loads 10
   10   CONTINUE
          K = K + 1
          B = B * 0.5D0
        IF (B .GT. 0.1D0 .AND. K .LT. 20) GO TO 10
        DO 20 J = 1, K
          B = B * 2.0D0
   20   CONTINUE
        X(I) = B                                 ! stores 10
   30 CONTINUE
      END
