//! Files that begin with the same headers say what they say when each is read from its first byte on.

use crate::{Options, TranslationUnit, read_linked};
use premiss_source::{MemoryFiles, SourceMap};
use proptest::prelude::*;

/// A directive that means nothing, and a comment of its length: behind the directive nothing is shared.
const ALONE: &str = "#ident \"\"\n";
const SHARED: &str = "//       \n";

/// Headers of every kind, by name.
const HEADERS: [(&str, &str); 22] = [
    (
        "declares.h",
        "#pragma once\n#define N 100\ntypedef double real;\nvoid clear(int n, real *x);\nextern real grid[N];\nenum { WIDTH = 3, DEPTH };\nstruct pair { int n; real x[WIDTH]; };\n",
    ),
    (
        "macros.h",
        "#ifndef MACROS\n#define MACROS\n#define AT(i, j) a[(i) * M + (j)]\n#define M 50\n#define EACH(i, n) for (int i = 0; i < n; i++)\n#endif\n",
    ),
    (
        "defines.h",
        "static inline int twice(int n) { return 2 * n; }\nstatic int count = 7;\n",
    ),
    ("tentative.h", "int total;\ndouble table[40];\n"),
    (
        "extern.h",
        "extern int size, width;\nextern double *field, shared[];\n",
    ),
    ("opaque.h", "typedef struct box box;\nvoid fill(box *b);\n"),
    ("unfinished.h", "static const\n"),
    ("open.h", "#define OPEN AT\n#if 1\n"),
    ("packed.h", "#pragma pack(push, 1)\n"),
    ("unpacked.h", "#pragma pack(pop)\n"),
    ("counted.h", "enum { COUNTED = __COUNTER__ };\n"),
    ("main.h", "enum { FIRST = sizeof(__BASE_FILE__) };\n"),
    ("undone.h", "#undef N\n#define N 10\n"),
    ("broken.h", "int ( = 3;\n#endif\n"),
    (
        "missing.h",
        "#include \"nowhere.h\"\ntypedef unknown_t *handle;\n",
    ),
    (
        "nested.h",
        "#include \"declares.h\"\n#include \"extern.h\"\nvoid all(struct pair *p);\n",
    ),
    ("again.h", "enum { UNIQUE };\n"),
    ("renamed.h", "typedef float real;\n#define size width\n"),
    (
        "itself.h",
        "#ifndef DEEP\n#define DEEP\n#include \"itself.h\"\nextern int deep;\n#endif\n",
    ),
    (
        "files.h",
        "#include <stdio.h>\n#include <math.h>\n#include <complex.h>\n",
    ),
    (
        "first.h",
        "#ifndef FIRST\n#define FIRST\n#include \"0.c\"\n#endif\n",
    ),
    (
        "enumeration.h",
        "enum color { RED, BLUE = 1 << 40 };\n__attribute__((aligned(32)))\n",
    ),
];

/// What files say after their headers.
const BODIES: [&str; 13] = [
    "void s(double *a) { for (int i = 0; i < FIRST; i++) a[i] = COUNTED; }\n",
    "void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] += N; }\n",
    "real own[N]; void g(void) { for (int i = 0; i < WIDTH; i++) own[i] = grid[i]; }\n",
    "void h(struct pair *p, int n) { for (int i = 0; i < n; i++) p[i].x[DEPTH - WIDTH] = p[i].n; }\n",
    "int size = 20; double shared[N];\nvoid k(void) { for (int i = 0; i < size; i++) shared[i] = i; }\n",
    "struct box { int n; double x[8]; };\nvoid fill(box *b) { for (int i = 0; i < b->n; i++) b->x[i] = 0; }\n",
    "void c(double *a, int n) { EACH(i, n) EACH(j, M) AT(i, j) = twice(j) + count; }\n",
    "void w(void) { total = 3; width++; for (int i = 0; i < total; i++) table[i] = field[i]; }\n",
    "extern int total; void r(double *x) { for (int i = 0; i < total + COUNTED; i++) x[i] = shared[i]; }\n",
    "struct mixed { char c; double x; }; void m(struct mixed *s) { for (int i = 0; i < 9; i++) s[i].x = 1; }\n",
    "void clear(int n, real *x) { for (int i = 0; i < n; i++) x[i] = 0; }\n",
    "void d(int n, real *x) { for (int i = 0; i < deep + n; i++) clear(n, x + i * UNIQUE); }\n",
    "extern double shared[30]; void e(enum color c) { for (int i = 0; i < BLUE; i++) shared[i] = c; }\n",
];

/// What is said of the files of a program, the headers and bodies of which are given by their rows.
fn trees_of(start: &str, files: &[(Vec<usize>, Vec<usize>)]) -> Vec<String> {
    let mut sources = SourceMap::new();
    let options = Options::default();
    let add = |(idx, (headers, bodies)): (usize, &(Vec<usize>, Vec<usize>))| {
        let mut text = start.to_owned();
        for row in headers {
            text += &format!("#include \"{}\"\n", HEADERS[*row].0);
        }
        bodies.iter().for_each(|row| text += BODIES[*row]);
        let file = sources.add("0".repeat(idx + 1) + ".c", text.into_bytes());
        (file.expect("a small file"), options.clone())
    };
    let files: Vec<_> = files.iter().enumerate().map(add).collect();
    let mut units = Vec::new();
    let headers: MemoryFiles = HEADERS.into_iter().collect();
    read_linked(
        &mut sources,
        &files,
        None,
        &headers,
        &mut |sources, outcome| {
            units.extend(outcome.into_read().map(|unit| printed(sources, &unit)));
        },
    );
    units
}

fn printed(sources: &SourceMap, unit: &TranslationUnit) -> String {
    let mut text = String::new();
    for tree in &unit.functions {
        text += &format!("{tree}\n{tree:?}\n");
    }
    for diagnostic in &unit.diagnostics {
        let places = diagnostic.labels.iter();
        let places = places.map(|x| (sources.file(x.span.file).path(), x.span));
        let places: Vec<_> = places.collect();
        text += &format!("{} {places:?}\n", diagnostic.message);
    }
    text + &format!("{:?} {:?}", unit.used_sizes, unit.size_names)
}

#[track_caller]
fn check(files: &[(Vec<usize>, Vec<usize>)]) {
    let (shared, alone) = (trees_of(SHARED, files), trees_of(ALONE, files));
    assert_eq!(shared.len(), files.len());
    for (idx, (shared, alone)) in shared.iter().zip(&alone).enumerate() {
        let differ = shared.lines().zip(alone.lines()).find(|(a, b)| a != b);
        assert!(shared == alone, "file {idx} of {files:?}: {differ:#?}");
    }
}

#[test]
fn every_header_is_read_once_as_well_as_each_time() {
    for header in 0..HEADERS.len() {
        for body in 0..BODIES.len() {
            let other = (body + 1) % BODIES.len();
            let file = |bodies: &[usize]| (vec![0, 1, header], bodies.to_vec());
            check(&[
                file(&[body]),
                file(&[]),
                file(&[body]),
                file(&[other]),
                file(&[other, body]),
            ]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn files_of_a_program_may_begin_alike(
        beginnings in prop::collection::vec(prop::collection::vec(0..HEADERS.len(), 0..5), 1..4),
        files in prop::collection::vec(
            (any::<prop::sample::Index>(), 0..6_usize, prop::collection::vec(0..BODIES.len(), 0..3)),
            3..9,
        ),
    ) {
        let file = |(beginning, n_headers, bodies): (prop::sample::Index, usize, Vec<usize>)| {
            let headers = beginning.get(&beginnings).iter().take(n_headers);
            (headers.copied().collect(), bodies)
        };
        let files: Vec<_> = files.into_iter().map(file).collect();
        check(&files);
    }
}
