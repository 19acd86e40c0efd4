//! Checks after edits: what is looked at anew, and what is remembered, come to what a check without memory finds.

use crate::kept_checks::Tree;

/// The versions of each file of a program in Fortran and one in C, whose files depend on each other by calls,
/// COMMON blocks, modules, headers, objects at file scope, and by sizes that all callers agree on.
const FILES: [(&str, &[&str]); 27] = [
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

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 40).unwrap_or(0) % n
    }
}

#[test]
fn after_any_edit_a_check_says_what_it_says_without_memory() {
    let tree = Tree::empty("check-edits");
    for (name, versions) in FILES {
        tree.write(&format!("one/src/{name}"), versions[0]);
    }
    let mut random = Random(1);
    for _ in 0..120 {
        let (name, versions) = FILES[random.below(FILES.len())];
        let version = versions[random.below(versions.len())];
        tree.write(&format!("one/src/{name}"), version);
        holds(&tree);
    }
}

/// What it comes to without sizes, and what every line costs with some.
#[track_caller]
fn holds(tree: &Tree) {
    tree.holds("one", &["src", "--format", "json"]);
    tree.holds("one", &["src", "-P", "N=64", "--format", "callgrind"]);
}

/// What an edit does to a text.
#[derive(Clone, Copy, Debug)]
enum Edit {
    /// A comment on a line of its own, wherever that is.
    Comment,
    EmptyLine,
    /// All of it further down.
    Header,
    /// A comment behind what stands on a line.
    Behind,
    /// A digit becomes another one.
    Digit,
    Version,
    Removal,
}

const EDITS: [Edit; 10] = [
    Edit::Comment,
    Edit::Comment,
    Edit::Comment,
    Edit::EmptyLine,
    Edit::Header,
    Edit::Header,
    Edit::Behind,
    Edit::Digit,
    Edit::Version,
    Edit::Removal,
];

fn edited(random: &mut Random, edit: Edit, name: &str, text: &str) -> String {
    let comment = match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "f" | "inc" => "* as it says",
        "f90" => "  ! as it says",
        _ => "  /* as it says */",
    };
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = random.below(lines.len() + 1);
    match edit {
        Edit::Comment => lines.insert(at, comment.to_owned()),
        Edit::EmptyLine => lines.insert(at, String::new()),
        Edit::Header => lines.insert(0, format!("{comment}\n\n{comment}")),
        Edit::Behind => {
            if let Some(line) = lines.get_mut(at) {
                line.push_str(match name.ends_with(".c") || name.ends_with(".h") {
                    true => " // here",
                    false => " ! here",
                });
            }
        }
        Edit::Digit => {
            let digits: Vec<usize> = text
                .match_indices(|c: char| c.is_ascii_digit())
                .map(|x| x.0)
                .collect();
            if !digits.is_empty() {
                let (at, new) = (digits[random.below(digits.len())], 1 + random.below(9));
                return format!("{}{new}{}", &text[..at], &text[at + 1..]);
            }
        }
        Edit::Version | Edit::Removal => {}
    }
    lines.join("\n") + "\n"
}

#[test]
fn places_follow_their_lines_whatever_is_edited() {
    let tree = Tree::empty("check-places-edits");
    let mut texts: Vec<String> = Vec::new();
    for (name, versions) in FILES {
        tree.write(&format!("one/src/{name}"), versions[0]);
        texts.push(versions[0].to_owned());
    }
    let mut random = Random(7);
    for _ in 0..160 {
        let idx = random.below(FILES.len());
        let (name, versions) = FILES[idx];
        let path = format!("one/src/{name}");
        let edit = EDITS[random.below(EDITS.len())];
        match edit {
            Edit::Version => texts[idx] = versions[random.below(versions.len())].to_owned(),
            Edit::Removal => {
                tree.remove(&path);
                tree.holds("one", &["src", "--format", "json"]);
            }
            _ => texts[idx] = edited(&mut random, edit, name, &texts[idx]),
        }
        tree.write(&path, &texts[idx]);
        holds(&tree);
    }
}

/// A routine of so many statements that calls another, where one is named.
fn routine(name: &str, n_statements: usize, called: Option<&str>) -> String {
    let statement = match called {
        Some(called) => format!("      CALL {called}(N, X)\n"),
        None => "      X(N) = X(N) + 1\n".to_owned(),
    };
    let statements = statement.repeat(n_statements);
    format!("      SUBROUTINE {name}(N, X)\n      REAL X(*)\n{statements}      END\n")
}

#[test]
fn a_routine_that_grows_concerns_those_who_follow_it_no_longer() {
    let tree = Tree::empty("check-growing-edits");
    let user = "      SUBROUTINE USER(N, X)\n      REAL X(*)\n      CALL MIDDLE(N, X)\n      DO 10 I = 1, N\n\
        \x20       X(I) = 0\n   10 CONTINUE\n      END\n";
    tree.write("one/src/user.f", user);
    tree.write("one/src/middle.f", &routine("MIDDLE", 200, Some("LEAF")));
    let mut told = Vec::new();
    for n_statements in [3, 4, 20, 40, 1000, 30, 3] {
        let leaf = routine("LEAF", n_statements, None);
        tree.write("one/src/leaf.f", &leaf);
        told.push(tree.holds("one", &["src", "--format", "json"]));
    }
    let gives_up = |told: &String| told.contains("steps for calls into other files");
    let given_up: Vec<bool> = told.iter().map(gives_up).collect();
    assert!(!given_up[0] && given_up[4] && !given_up[6], "{given_up:?}");
    // What the middle changes, and that it leads back to itself, is asked for where it is not followed, too.
    let leaf = routine("LEAF", 1000, None);
    for more in [
        "      COMMON /C/ M\n      M = N\n",
        "      CALL USER(N, X)\n",
    ] {
        let leaf = leaf.replacen("      REAL X(*)\n", &format!("      REAL X(*)\n{more}"), 1);
        tree.write("one/src/leaf.f", &leaf);
        told.push(tree.holds("one", &["src", "--format", "json"]));
    }
}

#[test]
fn profiles_follow_their_lines() {
    let tree = Tree::empty("check-profiles-edits");
    for (name, versions) in FILES {
        tree.write(&format!("one/src/{name}"), versions[0]);
    }
    let arguments = ["src", "-P", "N=64", "--format", "callgrind"];
    tree.holds("one", &arguments);
    for (name, comment) in [
        ("axpy.f", "C one\n"),
        ("user.f90", "! one\n\n"),
        ("scale.c", "// one\n"),
    ] {
        let (_, versions) = FILES
            .iter()
            .find(|(file, _)| *file == name)
            .expect("it is there");
        tree.write(
            &format!("one/src/{name}"),
            &format!("{comment}{}", versions[0]),
        );
        tree.holds("one", &arguments);
    }
}

const HEADER: &str = "#define STEP 2\nstruct point { double x, y; };\nextern double near[200], far[200];\nextern int count;\n\
    enum { ROWS = 20 };\ndouble *first(void);\ntypedef double number;\n";

/// Files that use one thing each of what the header declares; the first ones show that all begin with it.
const USERS: [(&str, &str); 9] = [
    ("a.c", "int a;\n"),
    ("b.c", "int b;\n"),
    (
        "bounds.c",
        "void f(double *x) { for (int i = 0; i < ROWS; i++) x[i] = 0; }\n",
    ),
    (
        "elements.c",
        "void g(int n) { for (int i = 0; i < n; i++) near[9 * i] = far[i]; }\n",
    ),
    (
        "fields.c",
        "void h(int n, struct point *p) { for (int i = 0; i < n; i++) p[i].y = 0; }\n",
    ),
    (
        "integers.c",
        "void k(int n, double *x) { for (int i = 0; i < n; i++) x[count + i] = x[STEP * i]; }\n",
    ),
    (
        "nothing.c",
        "void l(int n, double *x) { for (int i = 0; i < n; i++) x[3 * i] = 0; }\n",
    ),
    (
        "pointers.c",
        "void m(int n) { for (int i = 0; i < n; i++) first()[9 * i] = 0; }\n",
    ),
    (
        "types.c",
        "void o(int n, number *x) { for (int i = 0; i < n; i++) x[9 * i] = 0; }\n",
    ),
];

#[test]
fn edits_of_a_header_reach_what_uses_it() {
    let tree = Tree::empty("check-header-edits");
    for (name, text) in USERS {
        tree.write(
            &format!("one/src/{name}"),
            &format!("#include \"all.h\"\n{text}"),
        );
    }
    let mut told = Vec::new();
    for (before, after) in [
        ("", ""),
        ("STEP 2", "STEP 5"),
        ("double x, y;", "float x, y;"),
        ("double x, y;", "double x, y; int more[9];"),
        ("double near[200]", "float near[100]"),
        ("int count", "long long count"),
        ("ROWS = 20", "ROWS = 30"),
        ("double *first", "char *first"),
        ("typedef double", "typedef float"),
        ("near[200], far[200]", "far[200], near[200]"),
        ("extern int count;\n", ""),
        (
            "int count;\n",
            "int count;\nextern int more;\nint others(void);\n",
        ),
        ("enum", "/* rows */\n\nenum"),
    ] {
        tree.write("one/src/all.h", &HEADER.replace(before, after));
        tree.holds("one", &["src", "--format", "json"]);
        told.push(tree.holds("one", &["src", "-P", "n=1000", "--format", "callgrind"]));
    }
    told.dedup();
    assert!(9 < told.len(), "most of it is seen in what is told");
}
