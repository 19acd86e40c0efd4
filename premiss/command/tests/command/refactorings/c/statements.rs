//! Edits of declarations, expressions and statements.

/// By name; the name says what they do to the text.
pub(super) const EDITS: &[(&str, &[(&str, &str)])] = &[
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
];
