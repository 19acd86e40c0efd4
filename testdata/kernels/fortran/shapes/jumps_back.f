C     Loops that are made of jumps back: with the test at the head, at
C     the end, around all, and one in another.
C     -P n=10
      SUBROUTINE BACK(N, A, B)
      INTEGER N, I, J
      DOUBLE PRECISION A(N), B(N,N)
      I = 1
   10 IF (I.GT.N) GO TO 20
      A(I) = 0.0D0 ! stores 10
      I = I + 1
      GO TO 10
   20 CONTINUE
      I = N
   30 CONTINUE
      IF (I.GE.1) THEN
        A(I) = A(I) + 1.0D0 ! loads 5, stores 5
        I = I - 2
        GO TO 30
      END IF
      J = 1
   40 CONTINUE
        I = J
   50   CONTINUE
          B(I,J) = A(I) ! loads 55, stores 55
          I = I + 1
        IF (I.LE.N) GO TO 50
      J = J + 1
      IF (J.LE.N) GO TO 40
      I = 1
   60 IF (.NOT.(I.LE.N .AND. 0.LT.N)) GO TO 70
        DO 65 J = 1, N
   65   B(I,J) = 0.0D0 ! stores 100
      I = I + 1
      GO TO 60
   70 A(1) = 1.0D0 ! stores 1
      END
