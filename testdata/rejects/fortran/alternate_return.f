C     A call that comes back at a label of the caller's choice.
      SUBROUTINE TEST(N, A, *)
      INTEGER N, I
      DOUBLE PRECISION A(N)
      DO 10 I = 1, N
         IF (A(I) .LT. 0.0D0) RETURN 1 ! rejects: unsupported-construct
   10 CONTINUE
      END
