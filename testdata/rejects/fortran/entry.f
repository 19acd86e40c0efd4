C     A second way into the middle of a subroutine.
      SUBROUTINE CLEAR(N, A, B)
      INTEGER N, I
      DOUBLE PRECISION A(N), B(N)
      DO 10 I = 1, N
   10 A(I) = 0.0D0
      ENTRY CLEAR1(N, B) ! rejects: unsupported-construct
      DO 20 I = 1, N
   20 B(I) = 0.0D0
      END
