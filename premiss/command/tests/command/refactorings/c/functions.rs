//! Further edits: of loops, functions and what calls them.

/// By name; the name says what they do to the text.
pub(super) const EDITS: &[(&str, &[(&str, &str)])] = &[
    (
        "casts",
        &[
            ("p[i].mass *", "(double)p[i].mass *"),
            ("b[k][j]", "(double)b[k][j]"),
            ("bin[key[i]]", "bin[(int)key[i]]"),
            ("x[column[k]]", "x[(long)column[k]]"),
        ],
    ),
    ("long iterators", &[("for (int ", "for (long ")]),
    (
        "size_t iterators",
        &[
            ("#define N", "typedef unsigned long size_t;\n#define N"),
            ("for (int i = 1", "for (size_t i = 1"),
            ("for (int j = 1", "for (size_t j = 1"),
        ],
    ),
    (
        "pointer arithmetic",
        &[
            ("next[i][j] =", "*(*(next + i) + j) ="),
            ("grid[i][j] +", "*(grid[i] + j) +"),
            ("v[i] += factor * u[i]", "*(v + i) += factor * *(u + i)"),
            ("bin[key[i]] +=", "*(bin + *(key + i)) +="),
        ],
    ),
    (
        "row pointer",
        &[
            (
                "j = 1; j < N - 1; j++)\n      next[i][j]",
                "j = 1; j < N - 1; j++) {\n      double *row = next[i];\n      row[j]",
            ),
            ("grid[i + 1][j]);", "grid[i + 1][j]);\n      }"),
        ],
    ),
    (
        "linear subscripts",
        &[
            (
                "double c[n][n], double a[n][n], double b[n][n]",
                "double *c, double *a, double *b",
            ),
            (
                "c[i][j] += a[i][k] * b[k][j]",
                "c[i * n + j] += a[i * n + k] * b[k * n + j]",
            ),
        ],
    ),
    (
        "pointers to rows",
        &[(
            "double c[n][n], double a[n][n], double b[n][n]",
            "double (*c)[n], double (*a)[n], double (*b)[n]",
        )],
    ),
    (
        "const",
        &[
            (
                "double a[n][n], double b[n][n]",
                "const double a[n][n], const double b[n][n]",
            ),
            ("struct particle *p", "const struct particle *p"),
            ("int *key", "const int *key"),
            ("double *u", "const double *u"),
        ],
    ),
    (
        "restrict",
        &[
            (
                "double *u, double *v",
                "double *restrict u, double *restrict v",
            ),
            ("int *key, int *bin", "int *restrict key, int *restrict bin"),
        ],
    ),
    (
        "static functions",
        &[
            ("void axpy", "static void axpy"),
            ("void histogram", "static inline void histogram"),
        ],
    ),
    ("extern arrays", &[("static double", "double")]),
    (
        "typedef of a number",
        &[
            ("#define N", "typedef double real;\n#define N"),
            ("static double", "static real"),
            (
                "double c[n][n], double a[n][n]",
                "real c[n][n], real a[n][n]",
            ),
            ("double *u", "real *u"),
        ],
    ),
    (
        "typedef of a struct",
        &[
            ("struct particle {", "typedef struct {"),
            ("mass;\n};", "mass;\n} particle;"),
            ("struct particle *p", "particle *p"),
        ],
    ),
    (
        "typedef of an array",
        &[
            (
                "#define N 48\n#define W 52",
                "#define N 48\n#define W 52\ntypedef double plane[N][W];",
            ),
            ("static double grid[N][W]", "static plane grid"),
            ("static double next[N][W]", "static plane next"),
        ],
    ),
    ("enum for a macro", &[("#define N 48", "enum { N = 48 };")]),
    (
        "number for a macro",
        &[("#define N 48\n", ""), ("[N]", "[48]"), ("N - 1", "47")],
    ),
    (
        "macro for a number",
        &[("#define N 48", "#define BLOCK 16\n#define N (3 * BLOCK)")],
    ),
    (
        "const for a macro in bounds",
        &[
            (
                "#define N 48",
                "#define N 48\nstatic const int last = N - 1;",
            ),
            ("i < N - 1", "i < last"),
        ],
    ),
    (
        "additions commuted",
        &[
            (
                "0.2 * (grid[i][j] + grid[i][j - 1] + grid[i][j + 1] + grid[i - 1][j] + grid[i + 1][j])",
                "(grid[i][j] + (grid[i][j - 1] + grid[i][j + 1]) + (grid[i - 1][j] + grid[i + 1][j])) * 0.2",
            ),
            ("[j + 1]", "[1 + j]"),
            ("[i + 1]", "[1 + i]"),
            ("[i - 1]", "[-1 + i]"),
        ],
    ),
    (
        "linear subscripts commuted",
        &[
            (
                "double c[n][n], double a[n][n], double b[n][n]",
                "double *c, double *a, double *b",
            ),
            (
                "c[i][j] += a[i][k] * b[k][j]",
                "c[j + n * i] += a[k + i * n] * b[j + k * n]",
            ),
        ],
    ),
    (
        "assignment written out",
        &[
            (
                "c[i][j] += a[i][k] * b[k][j]",
                "c[i][j] = c[i][j] + a[i][k] * b[k][j]",
            ),
            (
                "sum += p[i].mass * p[i].x",
                "sum = sum + p[i].mass * p[i].x",
            ),
            ("bin[key[i]] += 1", "bin[key[i]]++"),
        ],
    ),
    (
        "macro for a reference",
        &[
            ("#define N", "#define AT(m, r, s) m[r][s]\n#define N"),
            (
                "c[i][j] += a[i][k] * b[k][j]",
                "AT(c, i, j) += AT(a, i, k) * AT(b, k, j)",
            ),
        ],
    ),
    (
        "guarded",
        &[(
            "  for (int i = 0; i < len",
            "  if (len <= 0)\n    return;\n  for (int i = 0; i < len",
        )],
    ),
    (
        "result returned",
        &[
            ("void axpy", "int axpy"),
            (
                "    v[i] += factor * u[i];\n",
                "    v[i] += factor * u[i];\n  return 0;\n",
            ),
        ],
    ),
    (
        "scalar kept in a local",
        &[(
            "c[i][j] += a[i][k] * b[k][j]",
            "c[i][j] += a[i][k] * b[k][j] * 1.0",
        )],
    ),
    (
        "parameters in another order",
        &[
            (
                "int len, double factor, double *u, double *v",
                "double *v, double *u, double factor, int len",
            ),
            (
                "int items, int *key, int *bin",
                "int *bin, int *key, int items",
            ),
        ],
    ),
    (
        "qualifiers and names at once",
        &[
            (
                "void axpy(int len, double factor, double *u, double *v)",
                "static void add_scaled(const int size, const double f, const double *restrict from, double *restrict to)",
            ),
            ("i < len", "i < size"),
            ("v[i] += factor * u[i]", "to[i] += f * from[i]"),
        ],
    ),
    (
        "body extracted",
        &[
            (
                "void smooth",
                "static double around(int i, int j)\n{\n  return grid[i][j] + grid[i][j - 1] + grid[i][j + 1] + grid[i - 1][j] + grid[i + 1][j];\n}\n\nvoid smooth",
            ),
            (
                "0.2 * (grid[i][j] + grid[i][j - 1] + grid[i][j + 1] + grid[i - 1][j] + grid[i + 1][j])",
                "0.2 * around(i, j)",
            ),
            ("    bin[key[i]] += 1;", "    count(bin, key[i]);"),
            (
                "void histogram",
                "static void count(int *all, int which)\n{\n  all[which] += 1;\n}\n\nvoid histogram",
            ),
        ],
    ),
    (
        "loop extracted",
        &[
            (
                "    for (int k = 0; k < n; k++)\n      for (int j = 0; j < n; j++)\n        c[i][j] += a[i][k] * b[k][j];",
                "    one_row(n, c[i], a[i], b);",
            ),
            (
                "void multiply",
                "static void one_row(int n, double *c, double *a, double b[n][n])\n{\n  for (int k = 0; k < n; k++)\n    for (int j = 0; j < n; j++)\n      c[j] += a[k] * b[k][j];\n}\n\nvoid multiply",
            ),
        ],
    ),
    (
        "nest extracted",
        &[
            ("void smooth(void)", "static void sweep(void)"),
            (
                "void multiply",
                "void smooth(void)\n{\n  sweep();\n}\n\nvoid multiply",
            ),
        ],
    ),
    (
        "row extracted from data",
        &[
            (
                "    double sum = 0;\n    for (int k = start[i]; k < start[i + 1]; k++)\n      sum += value[k] * x[column[k]];\n    y[i] = sum;",
                "    y[i] = one(start, column, value, x, i);",
            ),
            (
                "void spmv",
                "static double one(int *start, int *column, double *value, double *x, int i)\n{\n  double sum = 0;\n  for (int k = start[i]; k < start[i + 1]; k++)\n    sum += value[k] * x[column[k]];\n  return sum;\n}\n\nvoid spmv",
            ),
        ],
    ),
];
