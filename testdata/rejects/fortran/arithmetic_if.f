C     An arithmetic IF that goes back for one sign of what it computed.
      SUBROUTINE HALVE(N, A)
      INTEGER N, K
      DOUBLE PRECISION A(N)
   10 DO 20 K = 1, N ! rejects: uncounted-loop
   20 A(K) = 0.5D0 * A(K)
      IF (A(1) - 1.0D0) 30, 30, 10
   30 RETURN
      END
