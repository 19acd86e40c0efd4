C     Neighbours by a table of constants, which are loaded as other
C     elements are.
C     -P n=10
      SUBROUTINE TABLES(N, A, B)
      INTEGER N, I, J, K, DI(4), DJ(4)
      DOUBLE PRECISION A(N,N), B(N,N)
      SAVE DI, DJ
      DATA DI /1, 0, -1, 0/, DJ /0, 1, 0, -1/
      DO 10 J = 2, N - 1
      DO 10 I = 2, N - 1
        B(I,J) = 0.0D0 ! stores 64
        DO 10 K = 1, 4
   10 B(I,J) = B(I,J) + A(I+DI(K),J+DJ(K)) ! loads 1024, stores 256
      END
