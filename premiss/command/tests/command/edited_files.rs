//! A program with versions of each of its files, for random edits.

/// The versions of each file of a program in Fortran and one in C, whose files depend on each other by calls,
/// COMMON blocks, modules, headers, objects at file scope, and by sizes that all callers agree on.
pub(crate) const FILES: [(&str, &[&str]); 27] = [
    (
        "main.f",
        &[
            "      PROGRAM MAIN\n      COMMON /SIZES/ M\n      REAL X(500), Y(500)\n      M = 7\n\
             \x20     CALL AXPY(500, X, Y)\n      CALL SUMS(500, X)\n      CALL BLOCKED(500, X)\n      END\n",
            "      PROGRAM MAIN\n      COMMON /SIZES/ M\n      REAL X(500), Y(500)\n      M = 7\n\
             \x20     CALL AXPY(300, X, Y)\n      CALL SUMS(500, X)\n      END\n",
            "* A comment\n      PROGRAM MAIN\n      REAL X(500), Y(500)\n      EXTERNAL SUMS\n\
             \x20     CALL APPLY(SUMS, 500, X)\n      CALL AXPY(500, X, Y)\n      END\n",
        ],
    ),
    (
        "axpy.f",
        &[
            "      SUBROUTINE AXPY(N, X, Y)\n      REAL X(N), Y(N)\n      DO 10 I = 1, N\n\
             \x20       Y(I) = Y(I) + X(I)\n   10 CONTINUE\n      END\n",
            "*     What it does\n      SUBROUTINE AXPY(N, X, Y)\n      REAL X(N), Y(N)\n      DO 10 I = 1, N\n\
             \x20       Y(I) = Y(I) + X(I)\n   10 CONTINUE\n      END\n",
            "      SUBROUTINE AXPY(K, X, Y)\n      REAL X(K), Y(K)\n      DO 10 I = 1, K, 3\n\
             \x20       IF (X(I).GT.0.0) Y(I) = X(I)\n   10 CONTINUE\n      CALL SUMS(K, Y)\n      END\n",
        ],
    ),
    (
        "sums.f",
        &[
            "      SUBROUTINE SUMS(N, X)\n      COMMON /SIZES/ M\n      REAL X(N)\n      DO 10 I = 1, M\n\
             \x20       X(I) = X(I) + X(N - I)\n   10 CONTINUE\n      END\n",
            "      SUBROUTINE SUMS(N, X)\n      COMMON /SIZES/ M\n      REAL X(N)\n      M = N\n      DO 10 I = 1, M\n\
             \x20       X(I) = X(I) + UNKNOWN(I)\n   10 CONTINUE\n      END\n",
            "      SUBROUTINE SUMS(N, X)\n      REAL X(N)\n      DO 10 I = 1, \n      END\n",
        ],
    ),
    (
        "more.f90",
        &[
            "module sizes\n  integer, parameter :: n = 40\n  real :: table(n)\nend module\n\
             subroutine fill(x)\n  use sizes\n  real :: x(n)\n  integer :: i\n  do i = 1, n\n    x(i) = table(i)\n  end do\n\
             end subroutine\n",
            "module sizes\n  integer, parameter :: n = 60\n  real :: table(n)\nend module\n\
             subroutine fill(x)\n  use sizes\n  real :: x(n)\n  x = table\nend subroutine\n",
        ],
    ),
    (
        "user.f90",
        &[
            "subroutine use_it(x, y)\n  use sizes\n  real :: x(n), y(n)\n  integer :: i\n  call fill(x)\n\
             \x20 do i = 1, n\n    y(i) = x(n + 1 - i)\n  end do\n  call axpy(n, x, y)\nend subroutine\n",
            "subroutine use_it(x, y)\n  use sizes\n  real :: x(n), y(n)\n  table(1) = 2\n  call axpy(n, y, x)\n\
             end subroutine\nsubroutine sums(n, x)\n  real :: x(n)\n  x = 0\nend subroutine\n",
        ],
    ),
    (
        "main.c",
        &[
            "#include \"sizes.h\"\nextern int limit;\nvoid scale(double *x, int n);\ndouble a[N];\n\
             void all(void)\n{\n  scale(a, N);\n  for (int i = 0; i < limit; i++)\n    a[i] = i;\n}\n",
            "#include \"sizes.h\"\nextern int limit;\nvoid scale(double *x, int n);\ndouble a[N];\n\
             void all(void)\n{\n  limit = 3;\n  scale(a, 2 * N);\n  for (int i = 0; i < N; i++)\n    a[i] = i;\n}\n",
            "/* all of it */\nvoid scale(double *x, int n);\n\
             void all(double *x, int *p)\n{\n  for (int i = 0; i < 30; i++)\n    scale(x + i, *p);\n}\n",
        ],
    ),
    (
        "scale.c",
        &[
            "#include \"sizes.h\"\nint limit = 9;\nvoid scale(double *x, int n)\n{\n\
             \x20 for (int i = 0; i < n; i++)\n    x[i] *= limit;\n}\n",
            "#include \"sizes.h\"\nint limit = 9;\nstatic const int steps[2] = { 1, 2 };\n\
             void scale(double *x, int count)\n{\n  for (int i = 0; i < count; i += steps[1])\n    x[i] *= N;\n}\n",
            "int limit;\nvoid scale(double *x, int n)\n{\n  for (int i = 0; i < limit; i++)\n    x[i] *= f(n);\n}\n",
        ],
    ),
    ("sizes.h", &["#define N 100\n", "#define N 120\n"]),
    (
        "block.f",
        &[
            "      INTEGER FUNCTION BLOCK(ISPEC, NAME, N)\n      CHARACTER*(*) NAME\n      BLOCK = 1\n\
             \x20     IF (ISPEC.EQ.2) BLOCK = 8\n      IF (ISPEC.EQ.3) BLOCK = LEAST(N, 1)\n\
             \x20     IF (NAME(1:2).EQ.'AX' .AND. ISPEC.NE.2) BLOCK = 16\n      END\n",
            "      INTEGER FUNCTION BLOCK(ISPEC, NAME, N)\n      CHARACTER*(*) NAME\n      BLOCK = 1\n\
             \x20     IF (ISPEC.EQ.2) BLOCK = 4 + 4\n      IF (NAME(1:2).EQ.'AY' .AND. ISPEC.NE.2) BLOCK = 32\n      END\n",
            "      INTEGER FUNCTION BLOCK(ISPEC, NAME, N)\n      CHARACTER*(*) NAME\n      BLOCK = N\n\
             \x20     IF (ISPEC.EQ.2) BLOCK = 3\n      END\n",
            "      INTEGER FUNCTION BLOCK(ISPEC, NAME, N)\n      COMMON /SIZES/ M\n      CHARACTER*(*) NAME\n\
             \x20     M = 4\n      BLOCK = 8\n      END\n",
            "      INTEGER FUNCTION BLOCK(ISPEC, N)\n      BLOCK = 8\n      END\n",
        ],
    ),
    (
        "least.f",
        &[
            "      INTEGER FUNCTION LEAST(I, K)\n      LEAST = 5\n      IF (K.EQ.2) LEAST = I\n      END\n",
            "      INTEGER FUNCTION LEAST(I, K)\n      REAL X\n      LEAST = 5\n      READ *, X\n\
             \x20     IF (X.GT.0.0) LEAST = 2\n      END\n",
            "      INTEGER FUNCTION LEAST(I, K)\n      LEAST = BLOCK(I, 'LEAST', K)\n      END\n",
        ],
    ),
    (
        "blocked.f",
        &[
            "      SUBROUTINE BLOCKED(N, X)\n      REAL X(N)\n      INTEGER BLOCK\n      NB = BLOCK(2, 'AXPY', N)\n\
             \x20     DO 10 I = 1, N, NB\n        X(I) = 0\n   10 CONTINUE\n      NB = BLOCK(1, 'AXPY', N)\n\
             \x20     DO 20 I = 1, 500, NB\n        X(I) = 1\n   20 CONTINUE\n      END\n",
            "      SUBROUTINE BLOCKED(N, X)\n      REAL X(N)\n      INTEGER BLOCK\n\
             \x20     DO 10 I = 1, N\n        NB = BLOCK(I, 'AXPY', N) + LEAST(N, 1)\n        X(NB) = 0\n   10 CONTINUE\n      END\n",
        ],
    ),
    (
        "complain.f",
        &[
            "      SUBROUTINE COMPLAIN(NAME, INFO)\n      CHARACTER*(*) NAME\n      WRITE (*, *) NAME, INFO\n      STOP\n      END\n",
            "      SUBROUTINE COMPLAIN(NAME, INFO)\n      CHARACTER*(*) NAME\n      PRINT *, 'No: ', NAME\n      INFO2 = INFO + 1\n\
             \x20     PRINT *, INFO2\n      STOP\n      END\n",
            "      SUBROUTINE COMPLAIN(NAME, INFO)\n      COMMON /SIZES/ M\n      CHARACTER*(*) NAME\n      M = 11\n      END\n",
            "      SUBROUTINE COMPLAIN(NAME, INFO)\n      CHARACTER*(*) NAME\n      INFO = 2\n      END\n",
        ],
    ),
    (
        "careful.f",
        &[
            "      SUBROUTINE CAREFUL(N, X)\n      REAL X(N)\n      INFO = 1\n      IF (N.LT.9) CALL COMPLAIN('CAREFUL', INFO)\n\
             \x20     DO 10 I = 1, N, INFO\n        X(I) = 0\n   10 CONTINUE\n      CALL SUMS(N, X)\n      END\n",
            "      SUBROUTINE CAREFUL(N, X)\n      REAL X(N)\n      DO 10 I = 1, N\n        CALL COMPLAIN('CAREFUL', I)\n\
             \x20       X(I) = 0\n   10 CONTINUE\n      END\n",
        ],
    ),
    (
        "pick.c",
        &[
            "int pick(int level)\n{\n  return level == 1 ? 8 : 4;\n}\nvoid walk(double *x)\n{\n\
             \x20 for (int i = 0; i < 400; i += pick(1))\n    x[i] = 0;\n}\n",
            "static int asked;\nint pick(int level)\n{\n  asked++;\n  return level == 1 ? 8 : 4;\n}\nvoid walk(double *x)\n{\n\
             \x20 for (int i = 0; i < 400; i += pick(2))\n    x[i] = asked;\n}\n",
        ],
    ),
    (
        "widen.f",
        &[
            "      SUBROUTINE WIDEN(SMALL, LARGE, NB)\n      REAL SMALL, LARGE\n      IF (LOG10(LARGE).GT.20.) SMALL = SQRT(SMALL)\n\
             \x20     NB = 4\n      END\n",
            "      SUBROUTINE WIDEN(SMALL, LARGE, NB)\n      REAL SMALL, LARGE\n      IF (LOG10(LARGE).GT.30.) SMALL = 2*SMALL\n\
             \x20     LARGE = SMALL\n      NB = 4\n      END\n",
            "      SUBROUTINE WIDEN(SMALL, LARGE, NB)\n      REAL SMALL, LARGE\n      SMALL = 1\n      LARGE = 2\n      NB = 8\n      END\n",
            "      SUBROUTINE WIDEN(SMALL, LARGE, NB)\n      REAL SMALL, LARGE\n      COMMON /SIZES/ M\n      M = NB\n      NB = M + 1\n      END\n",
        ],
    ),
    (
        "wide.f",
        &[
            "      SUBROUTINE WIDE(N, X, S)\n      REAL X(N)\n      T = S\n      NB = 2\n      CALL WIDEN(S, T, NB)\n\
             \x20     DO 10 I = 1, N, NB\n        IF (S.LT.T) X(I) = X(I + 1)\n   10 CONTINUE\n      END\n",
            "      SUBROUTINE WIDE(N, X, S)\n      REAL X(N)\n      T = S\n      DO 10 I = 1, N\n        NB = I\n\
             \x20       CALL WIDEN(T, T, NB)\n        IF (S.EQ.T) X(NB) = 0\n   10 CONTINUE\n      END\n",
        ],
    ),
    (
        "types.h",
        &[
            "#ifndef TYPES\n#define TYPES\n#include \"sizes.h\"\nstruct point { double x, y; int n; };\n\
             extern double near[200];\nextern double far[200];\nextern int count;\nint pick(int level);\n\
             enum { ROWS = 20 };\n#define TWICE(a) ((a) * 2)\n#endif\n",
            "#ifndef TYPES\n#define TYPES\n#include \"sizes.h\"\nenum { ROWS = 20, COLUMNS };\n\
             struct point { double x, y, z; int n; };\n/* the other way round */\nextern double far[200];\n\
             extern double near[200];\nint pick(int level);\nvoid unused(struct point *);\nextern int count;\n\
             #define TWICE(a) ((a) + 2)\n#endif\n",
            "#ifndef TYPES\n#define TYPES\nstruct hidden { int a; };\nstruct point { double x, y; int n; };\n\
             extern float near[100];\nextern double far[200];\nextern int count;\nstatic int more;\n\
             static inline int pick(int level) { return level + 2; }\n\
             enum { ROWS = 24 };\n#define TWICE(a) ((a) * 2)\n#warning odd\n#endif\n",
            "#include \"sizes.h\"\n#include \"absent.h\"\nstruct point { double x, y; int n; };\nextern double near[200];\n\
             extern double far[200], far[200];\nextern int count;\n#define pick(level) 3\n\
             #define ROWS 20\n#define TWICE(a) ((a) * 2)\n",
        ],
    ),
    ("steps.h", &["1, 2, 4\n", "/* others */\n3,\n2\n"]),
    (
        "points.c",
        &[
            "#include \"types.h\"\n#include <math.h>\nvoid move(struct point *p)\n{\n  for (int i = 0; i < ROWS; i++)\n\
             \x20   p[i].x = near[i] + far[TWICE(i)];\n}\n",
            "#include \"types.h\"\nvoid move(struct point *p)\n{\n  count = 4;\n  for (int i = 0; i < ROWS; i += pick(1))\n\
             \x20   p[i].y = near[i];\n}\n",
        ],
    ),
    (
        "rows.c",
        &[
            "#include \"types.h\"\nstatic const int steps[] = {\n#include \"steps.h\"\n};\nvoid rows(struct point *p)\n{\n\
             \x20 for (int i = 0; i < count; i += steps[1])\n    far[i] = near[i];\n  move(p);\n}\n",
            "#include \"types.h\"\ndouble near[200];\nint count = 3;\nvoid rows(void)\n{\n  for (int i = 0; i < N; i++)\n\
             \x20   far[i] = near[ROWS] + count;\n}\n",
        ],
    ),
    (
        "columns.c",
        &[
            "#include \"types.h\"\n#include <math.h>\ndouble far[200];\nvoid columns(int n, struct point *p)\n{\n\
             \x20 for (int i = 0; i < n; i++)\n    far[i] = near[2 * i] + sqrt(p[i].x);\n}\n",
            "#include \"types.h\"\ndouble far[200];\ndouble near[200];\nvoid columns(int n)\n{\n\
             \x20 for (int i = 0; i < n; i++)\n    far[i] = near[i] + pick(1);\n}\n",
        ],
    ),
    (
        "area.inc",
        &[
            "      COMMON /AREA/ P(200), Q(200), L\n",
            "      COMMON /AREA/ P(100), Q(300), L\nC     and one more\n      COMMON /SIZES/ M\n",
            "      DOUBLE PRECISION P, Q\n      COMMON /AREA/ Q(200), P(200), L\n",
        ],
    ),
    (
        "area.f",
        &[
            "      SUBROUTINE AREA(N)\n      INCLUDE 'area.inc'\n      DO 10 I = 1, N\n        P(I) = Q(I)\n\
             \x20  10 CONTINUE\n      END\n",
            "      SUBROUTINE AREA(N)\n      INCLUDE 'area.inc'\n      L = 8\n      DO 10 I = 1, 100\n\
             \x20       P(I) = P(I) + 1\n   10 CONTINUE\n      END\n",
        ],
    ),
    (
        "first.f",
        &[
            "      SUBROUTINE BEFORE\n      COMMON /AREA/ A(200), B(200), K\n      K = K + 1\n      END\n",
            "      SUBROUTINE BEFORE\n      COMMON /AREA/ A(200), B(200), K\n      K = K + 1\n      CALL ZAP(K)\n      END\n\
             \x20     SUBROUTINE ZAP(N)\n      COMMON /AREA/ A(200), B(200), K\n      DO 10 I = 1, N, K\n        A(I) = B(I)\n\
             \x20  10 CONTINUE\n      END\n",
            "      SUBROUTINE BEFORE\n      END\n",
        ],
    ),
    (
        "last.f",
        &[
            "      SUBROUTINE LAST(N, X)\n      COMMON /AREA/ A(200), B(200), K\n      REAL X(*)\n      DO 10 I = 1, N\n\
             \x20       X(K*I) = A(I)\n   10 CONTINUE\n      CALL AREA(N)\n      END\n",
            "      SUBROUTINE LAST(N, X)\n      COMMON /AREA/ A(200), B(200), K\n      REAL X(*)\n      CALL BEFORE\n\
             \x20     DO 10 I = 1, K\n        B(I) = A(I)\n   10 CONTINUE\n      END\n",
        ],
    ),
    (
        "types.f90",
        &[
            "module shapes\n  type box\n    real :: side(40)\n    integer :: n\n  end type\nend module\n",
            "module shapes\n  integer, parameter :: most = 3\n  type box\n    integer :: n\n    real :: side(50)\n\
             \x20 end type\ncontains\n  subroutine clear(x)\n    type(box) :: x\n    x%side = 0\n  end subroutine\nend module\n",
        ],
    ),
    (
        "boxes.f90",
        &[
            "subroutine boxes(x)\n  use shapes\n  type(box) :: x(10)\n  integer :: i\n  do i = 1, 10\n\
             \x20   x(i)%side(i) = x(i)%n\n  end do\nend subroutine\n",
            "subroutine boxes(x)\n  use shapes, only : box\n  type(box) :: x(10)\n  integer :: i\n  do i = 1, 10\n\
             \x20   call clear(x(i))\n    x(i)%side = 1\n  end do\nend subroutine\n",
        ],
    ),
];
