! Constants that procedures get by reference decide their conditions, as BETA of BLAS does.
! -P n=6
      SUBROUTINE SETBETA(BETA, X)
      DOUBLE PRECISION BETA, X
      BETA = X
      END

! BETA is 0 in the first call, 1 after each, and -1 in the third; in the last, data tell.
      SUBROUTINE ADDED(N, X, BETA, Y)
      INTEGER N, I
      DOUBLE PRECISION BETA, X(N), Y(N)
      IF (BETA.NE.1.0D+0) THEN
        IF (BETA.EQ.0.0D+0) THEN
          DO I = 1, N
            Y(I) = 0.0D+0 ! stores 6 to 12
          END DO
        ELSE
          DO I = 1, N
            Y(I) = BETA*Y(I) ! loads 6 to 12, stores 6 to 12
          END DO
        END IF
        BETA = 1.0D+0
      END IF
      DO I = 1, N
        Y(I) = Y(I) + X(I) ! loads 48, stores 24
      END DO
      END

      SUBROUTINE CONSTANT_ARGUMENTS(N, X, Y)
      INTEGER N, I
      DOUBLE PRECISION X(N), Y(N), ONE, ZERO, BETA
      COMPLEX*16 GAMMA
      PARAMETER (ONE = 1.0D+0, ZERO = 0.0D+0)
      EXTERNAL ADDED, SETBETA
      BETA = ZERO
      CALL ADDED(N, X, BETA, Y)
      CALL ADDED(N, X, BETA, Y)
      CALL SETBETA(BETA, -ONE)
      CALL ADDED(N, X, BETA, Y)
      CALL SETBETA(BETA, X(1)) ! loads 1
      CALL ADDED(N, X, BETA, Y)
      GAMMA = (0.0D+0, 0.0D+0)
      DO I = 1, N
        IF (GAMMA.EQ.ZERO) Y(I) = ZERO ! stores 6
      END DO
      END
