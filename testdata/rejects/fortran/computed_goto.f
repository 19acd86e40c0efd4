C     A computed GO TO whose labels lie before and behind it: where it
C     goes the data say.
      SUBROUTINE MACHINE(N, CODE, A)
      INTEGER N, CODE(N), I
      DOUBLE PRECISION A(N)
      I = 0
   10 I = I + 1 ! rejects: uncounted-loop
      GO TO (10, 20, 30), CODE(I)
   20 A(I) = 0.0D0
   30 CONTINUE
      DO 40 I = 1, N
   40 A(I) = A(I) + 1.0D0
      END
