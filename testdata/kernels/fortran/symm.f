C     C = alpha*A*B + beta*C with half of A: one sweep reads and writes
C     C. The types of I, J and K are implicit, those of the rest are not.
C     -P m=20 -P n=30 -P lda=23
      SUBROUTINE KERNEL_SYMM(M, N, ALPHA, BETA, C, A, LDA, B)
      IMPLICIT DOUBLE PRECISION (A-H, O-Z)
      DIMENSION C(M,N), A(LDA,*), B(M,N)
      DO 30 I = 1, M
        DO 20 J = 1, N
          TEMP2 = 0
          DO 10 K = 1, I - 1
            C(K,J) = C(K,J) + ALPHA * B(I,J) * A(I,K)
            TEMP2 = TEMP2 + B(K,J) * A(I,K)
   10     CONTINUE
          C(I,J) = BETA * C(I,J) + ALPHA * B(I,J) * A(I,I)
     $           + ALPHA * TEMP2
   20   CONTINUE
   30 CONTINUE
      END
