C     An assigned GO TO: its label is the value of a variable.
      SUBROUTINE PHASES(N, A, B)
      INTEGER N, NEXT, I
      DOUBLE PRECISION A(N), B(N)
      ASSIGN 20 TO NEXT
      IF (B(1) .GT. 0.0D0) ASSIGN 30 TO NEXT
      GO TO NEXT, (20, 30) ! rejects: jump
   20 DO 25 I = 1, N
   25 A(I) = 0.0D0
   30 DO 35 I = 1, N
   35 B(I) = 0.0D0
      END
