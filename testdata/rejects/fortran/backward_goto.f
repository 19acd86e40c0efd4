C     A jump backwards is a loop that data end.
      SUBROUTINE RETRY(N, A)
      INTEGER N, K
      DOUBLE PRECISION A(N)
   10 CONTINUE
      DO 20 K = 1, N
         A(K) = A(K) + 1.0D0
   20 CONTINUE
      IF (A(1) .LT. 0.0D0) GO TO 10 ! rejects: uncounted-loop
      END
