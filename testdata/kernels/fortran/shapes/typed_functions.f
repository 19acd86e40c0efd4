C     Functions of which nothing but the type is declared, or not even
C     that: called by their names, and as arguments.
C     -P n=10
      INTEGER FUNCTION PICK(N)
      INTEGER N
      PICK = N/2 + 1
      END

      SUBROUTINE APPLY(F, N, X)
      INTEGER N, I
      DOUBLE PRECISION F, X(N)
      SAVE
      DO 10 I = 1, N - 1
        X(I) = F(X, I) ! stores 9
   10 CONTINUE
      END

      SUBROUTINE FOLD(G, N, X)
      IMPLICIT DOUBLE PRECISION (F-H)
      DOUBLE PRECISION X(N)
      DO 10 I = 1, N
        X(I) = G(X, I) ! stores 10
   10 CONTINUE
      END

      DOUBLE PRECISION FUNCTION BOTH(Y, I)
      INTEGER I
      DOUBLE PRECISION Y(*)
      BOTH = Y(I) + Y(I+1) ! loads 18
      END

      DOUBLE PRECISION FUNCTION TWICE(Y, I)
      INTEGER I
      DOUBLE PRECISION Y(*)
      TWICE = 2*Y(I) ! loads 10
      END

      SUBROUTINE EACH(S, N, X)
      DOUBLE PRECISION X(N)
      DO 10 I = 1, 2
        CALL S(X(I), N - 2, 2*I - 1)
   10 CONTINUE
      END

      SUBROUTINE INCR(Y, M, K)
      INTEGER M, K, J
      DOUBLE PRECISION Y(M)
      DO 10 J = K, M
        Y(J) = Y(J) + 1.0D0 ! loads 14, stores 14
   10 CONTINUE
      END

      SUBROUTINE TYPED(N, X)
      INTEGER N, I, PICK
      CHARACTER*4 WORD
      DOUBLE PRECISION X(N), BOTH, TWICE
      EXTERNAL BOTH, TWICE, INCR
      SAVE
      WORD = 'back'
      WORD(1:2) = WORD(3:4)
      DO 10 I = 1, PICK(N)
        X(I) = 1.0D0 ! stores 6
   10 CONTINUE
      CALL APPLY(BOTH, N, X)
      CALL FOLD(TWICE, N, X)
      CALL EACH(INCR, N, X)
      END
