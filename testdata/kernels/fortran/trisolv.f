C     Forward substitution with a lower triangular matrix of LDA rows;
C     loops without labels in fixed form.
C     -P n=40 -P lda=43
      SUBROUTINE KERNEL_TRISOLV(N, L, LDA, X, B)
      INTEGER N, LDA
      DOUBLE PRECISION L(LDA,*), X(*), B(*)
      INTEGER I, J
      DO I = 1, N
         X(I) = B(I)
         DO J = 1, I - 1
            X(I) = X(I) - L(I,J) * X(J)
         END DO
         X(I) = X(I) / L(I,I)
      END DO
      END
