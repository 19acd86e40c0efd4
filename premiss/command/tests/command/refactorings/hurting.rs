//! Refactorings that cost misses: each is caught, in its function and on its line.

use super::{Case, edited, try_all};

/// Name, file, base, edits, function, the text that the line has.
type Row = (
    &'static str,
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
    &'static str,
    &'static str,
);

const SUM: &str = "double a[128][128];\ndouble total(void)\n{\n  double s = 0;\n  for (int i = 0; i < 128; i++)\n    \
                   for (int j = 0; j < 128; j++)\n      s += a[i][j];\n  return s;\n}\n";
const PRODUCT: &str = "double a[64][64], b[64][64], c[64][64];\nvoid product(void)\n{\n  for (int i = 0; i < 64; i++)\n    \
                       for (int k = 0; k < 64; k++)\n      for (int j = 0; j < 64; j++)\n        \
                       c[i][j] += a[i][k] * b[k][j];\n}\n";
const FUSED: &str = "void both(double x[4096], double y[4096], double z[4096])\n{\n  for (int i = 0; i < 4096; i++) {\n    \
                     y[i] = 2 * x[i];\n    z[i] = x[i] + y[i];\n  }\n}\n";
const PADDED: &str = "#define LD 72\ndouble a[64][LD];\ndouble columns(void)\n{\n  double s = 0;\n  \
                      for (int j = 0; j < 64; j++)\n    for (int i = 0; i < 16; i++)\n      s += a[i][j];\n  return s;\n}\n";
const SOA: &str = "struct all {\n  double x[1024];\n  double y[1024];\n  double z[1024];\n  double w[1024];\n};\n\
                   double sum_x(struct all *p)\n{\n  double s = 0;\n  for (int i = 0; i < 1024; i++)\n    s += p->x[i];\n  return s;\n}\n";
const FLOAT: &str =
    "float a[2048];\nvoid scale(void)\n{\n  for (int i = 0; i < 2048; i++)\n    a[i] *= 2;\n}\n";
const TILED: &str = "#define T 16\ndouble a[256][256], b[256][256];\nvoid transpose(void)\n{\n  \
                     for (int ii = 0; ii < 256; ii += T)\n    for (int jj = 0; jj < 256; jj += T)\n      \
                     for (int i = ii; i < ii + T; i++)\n        for (int j = jj; j < jj + T; j++)\n          \
                     b[j][i] = a[i][j];\n}\n";
const GATHER: &str = "double x[65536];\ndouble pick(void)\n{\n  double s = 0;\n  for (int r = 0; r < 4; r++)\n    \
                      for (int i = 0; i < 512; i++)\n      s += x[(i * 37) % 256];\n  return s;\n}\n";
const CALLED: &str = "static void row(double *to, const double *from, int n)\n{\n  for (int j = 0; j < n; j++)\n    \
                      to[j] += from[j];\n}\nvoid rows(double m[128][128], double v[128][128])\n{\n  \
                      for (int i = 0; i < 128; i++)\n    row(m[i], v[i], 128);\n}\n";
const F_SUM: &str = "subroutine total(a, s)\n  real(8), intent(in) :: a(128, 128)\n  real(8), intent(out) :: s\n  \
                     integer :: i, j\n  s = 0\n  do j = 1, 128\n    do i = 1, 128\n      s = s + a(i, j)\n    end do\n  \
                     end do\nend subroutine total\n";
const F_FUSED: &str = "subroutine both(x, y, z)\n  real(8) :: x(4096), y(4096), z(4096)\n  integer :: i\n  do i = 1, 4096\n    \
                       y(i) = 2 * x(i)\n    z(i) = x(i) + y(i)\n  end do\nend subroutine both\n";
const F_COPY: &str = "subroutine copy(a, b)\n  real(8), intent(in) :: a(128, 128)\n  real(8), intent(out) :: b(128, 128)\n  \
                      integer :: i, j\n  do j = 1, 128\n    do i = 1, 128\n      b(i, j) = a(i, j)\n    end do\n  end do\n\
                      end subroutine copy\n";
const R_SUM: &str = "pub fn total(a: &[[f64; 128]; 128]) -> f64 {\n    let mut s = 0.0;\n    for i in 0..128 {\n        \
                     for j in 0..128 {\n            s += a[i][j];\n        }\n    }\n    s\n}\n";
const R_FUSED: &str = "pub fn both(x: &[f64; 4096], y: &mut [f64; 4096], z: &mut [f64; 4096]) {\n    for i in 0..4096 {\n        \
                       y[i] = 2.0 * x[i];\n        z[i] = x[i] + y[i];\n    }\n}\n";
const R_SOA: &str = "pub fn kinetic(m: &[f64; 1024], v: &[f64; 1024]) -> f64 {\n    let mut s = 0.0;\n    for i in 0..1024 {\n        \
                     s += m[i] * v[i];\n    }\n    s\n}\n";

const ROWS: &[Row] = &[
    (
        "subscripts swapped",
        "k.c",
        SUM,
        &[("a[i][j]", "a[j][i]")],
        "total",
        "a[j][i]",
    ),
    (
        "loops interchanged",
        "k.c",
        SUM,
        &[
            ("(int i = 0; i < 128; i++)", "(int X = 0; X < 128; X++)"),
            ("(int j = 0; j < 128; j++)", "(int i = 0; i < 128; i++)"),
            ("X", "j"),
        ],
        "total",
        "a[i][j];",
    ),
    (
        "inner loops interchanged",
        "k.c",
        PRODUCT,
        &[
            ("int k = 0; k < 64; k++", "int X = 0; X < 64; X++"),
            ("int j = 0; j < 64; j++", "int k = 0; k < 64; k++"),
            ("X", "j"),
        ],
        "product",
        "b[k][j]",
    ),
    (
        "stride of eight",
        "k.c",
        FLOAT,
        &[("a[2048]", "a[16384]"), ("a[i] *=", "a[8 * i] *=")],
        "scale",
        "a[8 * i]",
    ),
    (
        "fusion lost",
        "k.c",
        FUSED,
        &[(
            "    z[i]",
            "  }\n  for (int i = 0; i < 4096; i++) {\n    z[i]",
        )],
        "both",
        "z[i] = x[i]",
    ),
    (
        "padding removed",
        "k.c",
        PADDED,
        &[("LD 72", "LD 64")],
        "columns",
        "a[i][j]",
    ),
    (
        "structs for arrays",
        "k.c",
        SOA,
        &[
            (
                "struct all {\n  double x[1024];\n  double y[1024];\n  double z[1024];\n  double w[1024];\n};",
                "struct all {\n  double x, y, z, w;\n};",
            ),
            ("p->x[i]", "p[i].x"),
        ],
        "sum_x",
        "p[i].x",
    ),
    (
        "doubles for floats",
        "k.c",
        FLOAT,
        &[("float", "double")],
        "scale",
        "a[i]",
    ),
    (
        "tiles too large",
        "k.c",
        TILED,
        &[("T 16", "T 128")],
        "transpose",
        "b[j][i]",
    ),
    (
        "tiles dropped",
        "k.c",
        TILED,
        &[("T 16", "T 256")],
        "transpose",
        "b[j][i]",
    ),
    (
        "pass added",
        "k.c",
        SUM,
        &[(
            "  return s;",
            "  for (int i = 0; i < 128; i++)\n    for (int j = 0; j < 128; j++)\n      s += a[i][j] * a[i][j];\n  return s;",
        )],
        "total",
        "a[i][j] * a[i][j]",
    ),
    (
        "pass added before",
        "k.c",
        FUSED,
        &[(
            "  for (int i = 0; i < 4096; i++) {",
            "  for (int i = 0; i < 4096; i++)\n    z[i] = 0;\n  for (int i = 0; i < 4096; i++) {",
        )],
        "both",
        "z[i] = 0;",
    ),
    (
        "temporary array",
        "k.c",
        FUSED,
        &[
            ("{\n  for", "{\n  double t[4096];\n  for"),
            ("y[i] = 2 * x[i];", "t[i] = 2 * x[i];\n    y[i] = t[i];"),
        ],
        "both",
        "t[i] = 2",
    ),
    (
        "temporary copy",
        "k.c",
        SUM,
        &[
            (
                "  double s = 0;\n",
                "  static double t[128][128];\n  double s = 0;\n  for (int i = 0; i < 128; i++)\n    for (int j = 0; j < 128; j++)\n      t[i][j] = a[i][j];\n",
            ),
            ("s += a[i][j]", "s += t[i][j]"),
        ],
        "total",
        "t[i][j] = a[i][j]",
    ),
    (
        "gather over more",
        "k.c",
        GATHER,
        &[("% 256", "% 16384")],
        "pick",
        "% 16384",
    ),
    (
        "loads repeated in another loop",
        "k.c",
        FUSED,
        &[(
            "  }\n",
            "  }\n  for (int i = 0; i < 4096; i++)\n    z[i] += 2 * x[i];\n",
        )],
        "both",
        "z[i] += 2 * x[i]",
    ),
    (
        "more iterations",
        "k.c",
        FLOAT,
        &[("a[2048]", "a[4096]"), ("i < 2048", "i < 4096")],
        "scale",
        "a[i]",
    ),
    (
        "element member added",
        "k.c",
        "struct p { double x, y; };\ndouble f(struct p q[1024])\n{\n  double s = 0;\n  for (int i = 0; i < 1024; i++)\n    s += q[i].x;\n  return s;\n}\n",
        &[("double x, y;", "double x, y, z, w;")],
        "f",
        "q[i].x",
    ),
    (
        "callee with a stride",
        "k.c",
        CALLED,
        &[
            ("from[j]", "from[j * n]"),
            ("row(m[i], v[i], 128)", "row(m[i], &v[0][i], 128)"),
        ],
        "rows",
        "from[j * n]",
    ),
    (
        "callee called twice",
        "k.c",
        CALLED,
        &[(
            "    row(m[i], v[i], 128);",
            "    row(m[i], v[i], 128);\n  for (int i = 0; i < 128; i++)\n    row(m[i], v[i], 128);",
        )],
        "rows",
        "to[j] += from[j]",
    ),
    (
        "local made far",
        "k.c",
        "double f(double a[4096])\n{\n  double s = 0;\n  for (int r = 0; r < 8; r++)\n    for (int i = 0; i < 256; i++)\n      s += a[i];\n  return s;\n}\n",
        &[("i < 256", "i < 2048")],
        "f",
        "a[i]",
    ),
    (
        "random order",
        "k.c",
        "double f(double a[8192])\n{\n  double s = 0;\n  for (int i = 0; i < 8192; i++)\n    s += a[i];\n  return s;\n}\n",
        &[("a[i]", "a[(i * 1021) % 8192]")],
        "f",
        "1021",
    ),
    (
        "F subscripts swapped",
        "k.f90",
        F_SUM,
        &[("a(i, j)", "a(j, i)")],
        "total",
        "a(j, i)",
    ),
    (
        "F loops interchanged",
        "k.f90",
        F_SUM,
        &[("do j = 1, 128\n    do i", "do i = 1, 128\n    do j")],
        "total",
        "a(i, j)",
    ),
    (
        "F fusion lost",
        "k.f90",
        F_FUSED,
        &[("    z(i)", "  end do\n  do i = 1, 4096\n    z(i)")],
        "both",
        "z(i) = x(i)",
    ),
    (
        "F stride",
        "k.f90",
        F_FUSED,
        &[("z(4096)", "z(32768)"), ("z(i) =", "z(8 * i) =")],
        "both",
        "z(8 * i)",
    ),
    (
        "F transposed copy",
        "k.f90",
        F_COPY,
        &[("b(i, j)", "b(j, i)")],
        "copy",
        "b(j, i)",
    ),
    (
        "F pass added",
        "k.f90",
        F_SUM,
        &[(
            "  end do\nend",
            "  end do\n  do j = 1, 128\n    do i = 1, 128\n      s = s + 2 * a(i, j)\n    end do\n  end do\nend",
        )],
        "total",
        "2 * a(i, j)",
    ),
    (
        "F larger elements",
        "k.f90",
        F_SUM,
        &[("real(8), intent(in) :: a", "complex(8), intent(in) :: a")],
        "total",
        "a(i, j)\n",
    ),
    (
        "R subscripts swapped",
        "k.rs",
        R_SUM,
        &[("a[i][j]", "a[j][i]")],
        "total",
        "a[j][i]",
    ),
    (
        "R loops interchanged",
        "k.rs",
        R_SUM,
        &[
            ("for i in", "for X in"),
            ("for j in", "for i in"),
            ("for X", "for j"),
        ],
        "total",
        "a[i][j]",
    ),
    (
        "R fusion lost",
        "k.rs",
        R_FUSED,
        &[(
            "        z[i]",
            "    }\n    for i in 0..4096 {\n        z[i]",
        )],
        "both",
        "z[i] = x[i]",
    ),
    (
        "R stride",
        "k.rs",
        R_FUSED,
        &[
            ("z: &mut [f64; 4096]", "z: &mut [f64; 32768]"),
            ("z[i] =", "z[8 * i] ="),
        ],
        "both",
        "z[8 * i]",
    ),
    (
        "R structs for arrays",
        "k.rs",
        R_SOA,
        &[
            (
                "pub fn kinetic(m: &[f64; 1024], v: &[f64; 1024])",
                "pub struct Body {\n    pub m: f64,\n    pub v: f64,\n    pub at: [f64; 6],\n}\npub fn kinetic(p: &[Body; 1024])",
            ),
            ("m[i] * v[i]", "p[i].m * p[i].v"),
        ],
        "kinetic",
        "p[i].m",
    ),
    (
        "R larger elements",
        "k.rs",
        "pub fn twice(a: &mut [f32; 4096]) {\n    for i in 0..4096 {\n        a[i] *= 2.0;\n    }\n}\n",
        &[("f32", "f64")],
        "twice",
        "a[i]",
    ),
    (
        "R pass added",
        "k.rs",
        R_SUM,
        &[(
            "    s\n}",
            "    for i in 0..128 {\n        for j in 0..128 {\n            s -= a[i][j];\n        }\n    }\n    s\n}",
        )],
        "total",
        "s -= a[i][j]",
    ),
];

fn all() -> Vec<Case> {
    let of_row = |(name, path, base, edits, function, text): &Row| {
        Case::hurts(name, path, (base, edited(base, edits)), (function, text))
    };
    ROWS.iter().map(of_row).collect()
}

#[test]
fn what_costs_misses_is_caught_on_its_line() {
    try_all(&all(), &[]);
}

#[test]
fn what_costs_misses_is_caught_though_it_moved_or_was_renamed() {
    // The same in another file, and in a function of another name.
    let in_other_file = |mut case: Case| {
        case.head[0].0 = format!("other/{}", case.head[0].0.replace('k', "q"));
        case
    };
    try_all(
        &all().into_iter().map(in_other_file).collect::<Vec<_>>(),
        &[],
    );
    let renamed = |row: &Row| {
        let (name, path, base, edits, function, text) = *row;
        let head = edited(base, edits).replace(function, "renamed_now");
        Case::hurts(name, path, (base, head), ("renamed_now", text))
    };
    let whole_names = ROWS.iter().filter(|row| row.4 != "f");
    try_all(&whole_names.map(renamed).collect::<Vec<_>>(), &[]);
}
