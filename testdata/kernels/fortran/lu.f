*     A = L U in place, in the leading rows of an array of LDA rows
*     whose number of columns nobody says.
*     -P n=40 -P lda=43
      SUBROUTINE KERNEL_LU(N, A, LDA)
      INTEGER            N, LDA
      DOUBLE PRECISION   A( LDA, * )
      INTEGER            I, J, K
*
      DO 50 I = 1, N
         DO 20 J = 1, I - 1
            DO 10 K = 1, J - 1
               A( I, J ) = A( I, J ) - A( I, K )*A( K, J )
   10       CONTINUE
            A( I, J ) = A( I, J ) / A( J, J )
   20    CONTINUE
         DO 40 J = I, N
            DO 30 K = 1, I - 1
               A( I, J ) = A( I, J ) - A( I, K )*A( K, J )
   30       CONTINUE
   40    CONTINUE
   50 CONTINUE
      RETURN
*
*     End of KERNEL_LU
*
      END
