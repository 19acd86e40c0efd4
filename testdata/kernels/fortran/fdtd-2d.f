C     Three fields on shifted grids, updated one after the other in each
C     time step. They lie in a COMMON block, one behind the other.
C     -P tmax=3 -P nx=9 -P ny=11
      SUBROUTINE KERNEL_FDTD_2D
      INTEGER NX, NY, TMAX
      PARAMETER (NX = 9, NY = 11, TMAX = 3)
      DOUBLE PRECISION EX, EY, HZ, FICT
      COMMON /FIELDS/ EX(NX,NY), EY(NX,NY), HZ(NX,NY), FICT(TMAX)
      INTEGER T, I, J
      DO 50 T = 1, TMAX
         DO 10 J = 1, NY
   10    EY(1,J) = FICT(T)
         DO 20 I = 2, NX
         DO 20 J = 1, NY
   20    EY(I,J) = EY(I,J) - 0.5D0 * (HZ(I,J) - HZ(I-1,J))
         DO 30 I = 1, NX
         DO 30 J = 2, NY
   30    EX(I,J) = EX(I,J) - 0.5D0 * (HZ(I,J) - HZ(I,J-1))
         DO 40 I = 1, NX - 1
         DO 40 J = 1, NY - 1
   40    HZ(I,J) = HZ(I,J) - 0.7D0 * (EX(I,J+1) - EX(I,J)
     &           + EY(I+1,J) - EY(I,J))
   50 CONTINUE
      END
