//! Refactorings of C that keep every loop's accesses.

use super::{Case, base_text, edited, last, try_all};

/// Edits of the one file by name; what they do to the text is told by the name.
const EDITS: &[(&str, &[(&str, &str)])] = &[
    (
        "function renamed",
        &[("void smooth(void)", "void relax(void)")],
    ),
    (
        "iterators renamed",
        &[
            ("int i ", "int row "),
            ("[i", "[row"),
            ("i <", "row <"),
            ("i++", "row++"),
        ],
    ),
    (
        "size parameter renamed",
        &[
            ("int n,", "int order,"),
            ("[n]", "[order]"),
            ("< n;", "< order;"),
        ],
    ),
    (
        "size macro renamed",
        &[
            ("#define N 48", "#define ROWS 48"),
            ("[N]", "[ROWS]"),
            ("N - 1", "ROWS - 1"),
        ],
    ),
    (
        "arrays renamed",
        &[
            ("grid", "field"),
            ("next", "fresh"),
            ("c[", "result["),
            ("b[", "right["),
        ],
    ),
    (
        "members renamed",
        &[
            (" x, y, z, mass", " px, py, pz, weight"),
            (".mass", ".weight"),
            ("p[i].x", "p[i].px"),
        ],
    ),
    ("type renamed", &[("struct particle", "struct body")]),
    (
        "reformatted on fewer lines",
        &[(";\n", "; "), ("\n{\n", " { ")],
    ),
    (
        "reformatted on more lines",
        &[
            ("; i++)", ";\n       i++)"),
            ("[j] + ", "[j]\n    + "),
            (" += ", "\n      += "),
        ],
    ),
    ("tabs", &[("  ", "\t")]),
    ("Windows line ends", &[("\n", "\r\n")]),
    (
        "comments",
        &[
            ("      next", "      // five points\n      next"),
            ("for (int j", "/* columns */ for (int j"),
            ("sum +=", "/* add */ sum +="),
        ],
    ),
    (
        "code before",
        &[(
            "#define N",
            "extern int printf(const char *, ...);\nstatic int calls;\n#define VERBOSE 0\n#define N",
        )],
    ),
    (
        "scalar code within",
        &[(
            "  double sum = 0;\n  for",
            "  double sum = 0;\n  int passes = 1;\n  passes = passes * 2;\n  for",
        )],
    ),
    (
        "code between functions",
        &[(
            "void multiply",
            "static int clamp(int x)\n{\n  return x < 0 ? 0 : x;\n}\n\nvoid multiply",
        )],
    ),
    (
        "function added",
        &[(
            "void multiply",
            "void clear(int many, double *w)\n{\n  for (int i = 0; i < many; i++)\n    w[i] = 0;\n}\n\nvoid multiply",
        )],
    ),
    (
        "array added before",
        &[(
            "static double grid",
            "static double other[77];\nvoid use_other(void)\n{\n  for (int i = 0; i < 77; i++)\n    other[i] = 1;\n}\nstatic double grid",
        )],
    ),
    (
        "declarations joined",
        &[(
            "static double grid[N][W];\nstatic double next[N][W];",
            "static double grid[N][W], next[N][W];",
        )],
    ),
    (
        "declarations swapped",
        &[(
            "static double grid[N][W];\nstatic double next[N][W];",
            "static double next[N][W];\nstatic double grid[N][W];",
        )],
    ),
    (
        "declaration split",
        &[("double sum = 0;", "double sum;\n  sum = 0;")],
    ),
    (
        "members declared one by one",
        &[(
            "double x, y, z, mass;",
            "double x;\n  double y;\n  double z;\n  double mass;",
        )],
    ),
    (
        "i += 1",
        &[("i++", "i += 1"), ("j++", "j += 1"), ("k++", "k += 1")],
    ),
    ("i = i + 1", &[("i++", "i = i + 1"), ("k++", "k = k + 1")]),
    ("++i", &[("i++", "++i"), ("j++", "++j"), ("k++", "++k")]),
    (
        "<= for <",
        &[
            ("i < N - 1", "i <= N - 2"),
            ("j < n", "j <= n - 1"),
            ("i < count", "i <= count - 1"),
            ("k < start[i + 1]", "k <= start[i + 1] - 1"),
            ("i < items", "i <= items - 1"),
            ("i < rows", "i <= rows - 1"),
        ],
    ),
    ("!= for <", &[("i < count", "i != count")]),
    (
        "comparison reversed",
        &[
            ("i < n;", "n > i;"),
            ("j < N - 1", "N - 1 > j"),
            ("i < rows", "rows > i"),
            ("i < items", "items > i"),
        ],
    ),
    (
        "while for for",
        &[
            (
                "  for (int i = 0; i < count; i++)\n    sum += p[i].mass * p[i].x;",
                "  int i = 0;\n  while (i < count) {\n    sum += p[i].mass * p[i].x;\n    i++;\n  }",
            ),
            (
                "  for (int i = 0; i < items; i++)\n    bin[key[i]] += 1;",
                "  int i = 0;\n  while (i < items) {\n    bin[key[i]] += 1;\n    i++;\n  }",
            ),
            (
                "  for (int i = 0; i < len; i++)\n    v[i] += factor * u[i];",
                "  int i = 0;\n  while (i < len) {\n    v[i] += factor * u[i];\n    ++i;\n  }",
            ),
        ],
    ),
    (
        "iterator declared before",
        &[
            ("{\n  for (int i = 1;", "{\n  int i, j;\n  for (i = 1;"),
            ("for (int j = 1;", "for (j = 1;"),
            (
                "  for (int i = 0; i < items",
                "  int i;\n  for (i = 0; i < items",
            ),
        ],
    ),
    (
        "constant hoisted",
        &[
            (
                "  for (int i = 1;",
                "  const double weight = 0.2;\n  for (int i = 1;",
            ),
            ("0.2 * (grid", "weight * (grid"),
        ],
    ),
    (
        "bounds hoisted",
        &[
            (
                "  for (int i = 1; i < N - 1",
                "  int last = N - 1;\n  for (int i = 1; i < last",
            ),
            (
                "  for (int i = 0; i < n; i++)",
                "  int most = n;\n  for (int i = 0; i < most; i++)",
            ),
            (
                "  for (int i = 0; i < items",
                "  int all = items;\n  for (int i = 0; i < all",
            ),
            (
                "  for (int i = 0; i < rows",
                "  int until = rows;\n  for (int i = 0; i < until",
            ),
        ],
    ),
    (
        "subscripts hoisted",
        &[
            (
                "    for (int j = 1; j < N - 1; j++)\n      next[i][j]",
                "    for (int j = 1; j < N - 1; j++) {\n      int above = i - 1, below = i + 1;\n      next[i][j]",
            ),
            (
                "grid[i - 1][j] + grid[i + 1][j]);",
                "grid[above][j] + grid[below][j]);\n    }",
            ),
            (
                "    bin[key[i]] += 1;",
                "  {\n    int k = key[i];\n    bin[k] += 1;\n  }",
            ),
        ],
    ),
    (
        "braces",
        &[
            ("i++)\n    for (int j", "i++) {\n    for (int j"),
            (" + grid[i + 1][j]);", " + grid[i + 1][j]);\n  }"),
            (
                "i++)\n    bin[key[i]] += 1;",
                "i++) {\n    bin[key[i]] += 1;\n  }",
            ),
        ],
    ),
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

/// What can be undone, and has another name then.
const UNDONE: &[(&str, &str)] = &[
    ("body extracted", "body inlined"),
    ("loop extracted", "loop inlined"),
    ("nest extracted", "nest inlined"),
    ("function added", "function removed"),
    ("linear subscripts", "linear subscripts folded"),
    ("while for for", "for for while"),
    ("guarded", "guard removed"),
];

fn all() -> Vec<Case> {
    let base = base_text("kernels.c");
    let one = |(name, edits): &(&'static str, &[(&str, &str)])| {
        Case::keeps(name, "kernels.c", &base, edited(&base, edits))
    };
    let mut cases: Vec<Case> = EDITS.iter().map(one).collect();
    for (name, other) in UNDONE {
        let edits = EDITS
            .iter()
            .find(|(known, _)| known == name)
            .expect("it is there");
        cases.push(one(edits).reversed(other));
    }
    cases.extend(files(&base));
    cases
}

/// What moves within and between files.
fn files(base: &str) -> Vec<Case> {
    let whole = |path: &str| vec![(path.to_owned(), base.to_owned())];
    let at = |path: &str, text: String| (path.to_owned(), text);
    let moved = last(base, "void multiply", "}\n");
    let start = moved.rfind("void multiply").expect("it is last");
    let (rest, multiply) = moved.split_at(start);
    let (defines, others) = base.split_at(base.find("struct").expect("the struct"));
    vec![
        Case::kept("file renamed", whole("kernels.c"), whole("solver.c")),
        Case::kept("file moved", whole("kernels.c"), whole("deep/er/kernels.c")),
        Case::keeps("function moved", "kernels.c", base, moved.clone()),
        Case::kept(
            "function moved to another file",
            whole("kernels.c"),
            vec![at("kernels.c", rest.to_owned()), at("multiply.c", multiply.to_owned())],
        ),
        Case::kept(
            "function moved to another file and renamed",
            whole("kernels.c"),
            vec![at("kernels.c", rest.to_owned()), at("product.c", multiply.replace("multiply", "product"))],
        ),
        Case::kept(
            "files joined",
            vec![at("kernels.c", rest.to_owned()), at("multiply.c", multiply.to_owned())],
            whole("kernels.c"),
        ),
        Case::kept(
            "file added",
            whole("kernels.c"),
            vec![
                at("kernels.c", base.to_owned()),
                at("more.c", "void set(int many, int *w)\n{\n  for (int i = 0; i < many; i++)\n    w[i] = 7;\n}\n".to_owned()),
            ],
        ),
        Case::kept(
            "macros moved to a header",
            whole("kernels.c"),
            vec![at("kernels.c", format!("#include \"sizes.h\"\n{others}")), at("sizes.h", defines.to_owned())],
        ),
        Case::kept(
            "everything renamed at once",
            whole("kernels.c"),
            vec![at(
                "all.c",
                edited(
                    base,
                    &[("void smooth", "void relax"), ("void multiply", "void product"), ("double momentum", "double impulse"), ("void spmv", "void apply"), ("void histogram", "void tally"), ("void axpy", "void add"), ("grid", "field"), ("N", "SIZE"), ("start", "first"), ("column", "index")],
                ),
            )],
        ),
    ]
}

#[test]
fn what_keeps_accesses_is_no_regression_where_sizes_are_known() {
    let sizes = [
        "-P",
        "n=40",
        "-P",
        "count=500",
        "-P",
        "rows=50",
        "-P",
        "items=300",
        "-P",
        "len=700",
    ];
    try_all(&all(), &sizes);
}

#[test]
fn what_keeps_accesses_is_no_regression_where_no_size_is_known() {
    try_all(&all(), &[]);
}
