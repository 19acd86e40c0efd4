//! Refactorings of C that keep every access of functions with several nests, of nests that data decide, and of
//! memory that is allocated.

use super::{Case, base_text, edited, try_all};

const EDITS: &[(&str, &[(&str, &str)])] = &[
    (
        "second nest extracted",
        &[
            (
                "  for (int i = 0; i < n; i++)\n    c[i] = b[i] + a[i];\n",
                "  add(n, a, b, c);\n",
            ),
            (
                "void two",
                "static void add(int m, double *p, double *q, double *r)\n{\n  for (int i = 0; i < m; i++)\n    r[i] = q[i] + p[i];\n}\nvoid two",
            ),
        ],
    ),
    (
        "function split in two",
        &[(
            "  for (int i = 0; i < n; i++)\n    c[i] = b[i] + a[i];\n}",
            "}\nvoid second(int n, double *a, double *b, double *c)\n{\n  for (int i = 0; i < n; i++)\n    c[i] = b[i] + a[i];\n}",
        )],
    ),
    (
        "csr while",
        &[(
            "    for (int k = start[i]; k < start[i + 1]; k++)\n      s += val[k] * x[col[k]];",
            "    int k = start[i];\n    while (k < start[i + 1]) {\n      s += val[k] * x[col[k]];\n      k++;\n    }",
        )],
    ),
    (
        "csr product hoisted",
        &[(
            "      s += val[k] * x[col[k]];",
            "    {\n      double p = val[k];\n      int c = col[k];\n      s += p * x[c];\n    }",
        )],
    ),
    (
        "csr sum renamed",
        &[
            ("double s = 0.0", "double acc = 0.0"),
            ("s += val", "acc += val"),
            ("y[i] = s", "y[i] = acc"),
        ],
    ),
    (
        "branch reversed",
        &[(
            "    if (a[i] > 0)\n      b[i] = a[i];\n    else\n      b[i] = 0;",
            "    if (a[i] <= 0)\n      b[i] = 0;\n    else\n      b[i] = a[i];",
        )],
    ),
    (
        "branch ternary",
        &[(
            "    if (a[i] > 0)\n      b[i] = a[i];\n    else\n      b[i] = 0;",
            "    b[i] = a[i] > 0 ? a[i] : 0;",
        )],
    ),
    (
        "branch braces",
        &[(
            "    if (a[i] > 0)\n      b[i] = a[i];\n    else\n      b[i] = 0;",
            "  {\n    if (a[i] > 0) {\n      b[i] = a[i];\n    } else {\n      b[i] = 0;\n    }\n  }",
        )],
    ),
    (
        "branch flag",
        &[
            (
                "    if (a[i] > 0)",
                "    const int positive = a[i] > 0;\n    if (positive)",
            ),
            (
                "void cond(int n, double *a, double *b)\n{\n  for (int i = 0; i < n; i++)\n",
                "void cond(int n, double *a, double *b)\n{\n  for (int i = 0; i < n; i++) {\n",
            ),
            ("      b[i] = 0;", "      b[i] = 0;\n  }"),
        ],
    ),
    (
        "malloc cast",
        &[(
            "= malloc(n * n * sizeof(double))",
            "= (double *)malloc(sizeof(double) * n * n)",
        )],
    ),
    (
        "malloc sizeof",
        &[("n * n * sizeof(double)", "sizeof *w * (size_t)n * n")],
    ),
    (
        "calloc",
        &[(
            "malloc(n * n * sizeof(double))",
            "calloc(n * n, sizeof(double))",
        )],
    ),
    (
        "heap 2d",
        &[
            (
                "  double *w = malloc(n * n * sizeof(double));",
                "  double (*w)[n] = malloc(sizeof(double[n][n]));",
            ),
            ("w[i * n + j]", "w[i][j]"),
        ],
    ),
    (
        "vla",
        &[
            (
                "  double *w = malloc(n * n * sizeof(double));",
                "  double w[n][n];",
            ),
            ("w[i * n + j]", "w[i][j]"),
            ("  free(w);\n", ""),
        ],
    ),
    ("tri <", &[("j <= i", "j < i + 1")]),
    (
        "tri from 1",
        &[(
            "  for (int i = 0; i < n; i++)\n    for (int j = 0; j <= i; j++)\n      a[i][j] *= 0.5;",
            "  for (int i = 1; i <= n; i++)\n    for (int j = 1; j <= i; j++)\n      a[i - 1][j - 1] *= 0.5;",
        )],
    ),
    (
        "do while",
        &[
            ("  for (int t = 0; t < 10; t++)", "  int t = 0;\n  do {"),
            ("u[i + 1][j];", "u[i + 1][j];\n  } while (++t < 10);"),
        ],
    ),
    ("shift for size", &[("#define N 64", "#define N (1 << 6)")]),
    (
        "pragma",
        &[("  for (int t", "#pragma omp parallel for\n  for (int t")],
    ),
    (
        "arrays passed",
        &[
            (
                "void fixed(void)",
                "static void inner(double (*restrict out)[N], double (*restrict in)[N])",
            ),
            (
                "        v[i][j] = u[i - 1][j] + u[i + 1][j];\n}",
                "        out[i][j] = in[i - 1][j] + in[i + 1][j];\n}\nvoid fixed(void)\n{\n  inner(v, u);\n}",
            ),
        ],
    ),
    (
        "macro index",
        &[
            ("w[i * n + j]", "w[IDX(i, j)]"),
            (
                "#define N 64",
                "#define N 64\n#define IDX(r, c) ((r) * n + (c))",
            ),
        ],
    ),
    (
        "locals for globals",
        &[
            (
                "  for (int t",
                "  double (*p)[N] = u, (*q)[N] = v;\n  for (int t",
            ),
            (
                "v[i][j] = u[i - 1][j] + u[i + 1][j]",
                "q[i][j] = p[i - 1][j] + p[i + 1][j]",
            ),
        ],
    ),
    (
        "pointer walk",
        &[(
            "  for (int i = 0; i < n; i++)\n    b[i] = 2 * a[i];",
            "  double *p = a, *q = b;\n  for (int i = 0; i < n; i++)\n    *q++ = 2 * *p++;",
        )],
    ),
    (
        "pointer end",
        &[(
            "  for (int i = 0; i < n; i++)\n    b[i] = 2 * a[i];",
            "  for (double *p = a, *q = b; p < a + n; p++, q++)\n    *q = 2 * *p;",
        )],
    ),
    (
        "unrolled",
        &[(
            "  for (int i = 0; i < n; i++)\n    b[i] = 2 * a[i];",
            "  int i = 0;\n  for (; i + 1 < n; i += 2) {\n    b[i] = 2 * a[i];\n    b[i + 1] = 2 * a[i + 1];\n  }\n  for (; i < n; i++)\n    b[i] = 2 * a[i];",
        )],
    ),
    (
        "struct of pointers",
        &[(
            "void two(int n, double *a, double *b, double *c)\n{",
            "struct arrays { double *a, *b, *c; };\nvoid two(int n, struct arrays *s)\n{\n  double *a = s->a, *b = s->b, *c = s->c;",
        )],
    ),
    (
        "debug prints",
        &[
            ("  free(w);", "  printf(\"%d\\n\", n);\n  free(w);"),
            (
                "#define N",
                "extern int printf(const char *, ...);\n#define N",
            ),
        ],
    ),
    (
        "assert",
        &[
            ("  for (int t", "  assert(N > 2);\n  for (int t"),
            ("#define N", "#include <assert.h>\n#define N"),
        ],
    ),
    (
        "loop over a new array",
        &[(
            "  free(w);",
            "  free(w);\n  for (int i = 0; i < N; i++)\n    u[i][i] = 1;",
        )],
    ),
    (
        "early return",
        &[(
            "void tri(int n, double a[n][n])\n{",
            "void tri(int n, double a[n][n])\n{\n  if (n == 0)\n    return;",
        )],
    ),
    (
        "null check",
        &[(
            "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++)\n      w",
            "  if (!w)\n    return;\n  for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++)\n      w",
        )],
    ),
    ("switch to int64", &[("for (int ", "for (long long ")]),
];

/// Where no size is known, formulas decide whether these are the same: they are no worse, or that is open.
const BY_FORMULAS: [&str; 3] = ["pointer walk", "pointer end", "unrolled"];

fn all() -> Vec<Case> {
    let base = base_text("nests.c");
    let one = |(name, edits): &(&'static str, &[(&str, &str)])| {
        Case::keeps(name, "nests.c", &base, edited(&base, edits))
    };
    EDITS.iter().map(one).collect()
}

#[test]
fn what_keeps_accesses_of_nests_is_no_regression_where_sizes_are_known() {
    try_all(&all(), &["-P", "n=40", "-P", "rows=50"]);
}

#[test]
fn what_keeps_accesses_of_nests_is_no_regression_where_no_size_is_known() {
    let is_decided = |case: &Case| !BY_FORMULAS.contains(&case.name);
    try_all(
        &all().into_iter().filter(is_decided).collect::<Vec<_>>(),
        &[],
    );
}
