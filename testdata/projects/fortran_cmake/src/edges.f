C     The edges of a plate with a border, from what the COMMON block has.
      SUBROUTINE EDGES(NROWS, NCOLS, PLATE)
      INCLUDE 'edges.inc'
      INTEGER NROWS, NCOLS
      DOUBLE PRECISION PLATE(0:NROWS+1, 0:*)
      INTEGER I, J
      DO 10 J = 1, NCOLS
   10 PLATE(0, J) = TOP(J)
      DO 20 I = 1, NROWS
   20 PLATE(I, 0) = LEFT(I)
      END

      SUBROUTINE WARM(DEGREE)
      INCLUDE 'edges.inc'
      DOUBLE PRECISION DEGREE
      INTEGER I
      DO 30 I = 1, MAXEDG
         TOP(I) = DEGREE
         LEFT(I) = 0.5D0 * TOP(I)
   30 CONTINUE
      END
