//! Programs of which something cannot be counted, each with a function that can.

use crate::folder::Folder;

/// What of an input is not counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Missing {
    /// Text: nobody knows which loops are in it.
    Text,
    /// A nest that is known, and not understood.
    Nest,
    /// The count of a nest that is understood.
    Count,
    /// The same, as a size has no value.
    Size,
    /// The same, and there is an estimate.
    Exactness,
    /// The misses of levels: the accesses are counted.
    Level,
    /// Everything, where closed forms alone are used.
    Form,
    /// A file of a folder. What is in it is understood, and a finding.
    File,
    /// A file of a folder that is not read.
    Unread,
}

/// A program.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) missing: Missing,
    /// The file in `src` that is given to commands that take no folder.
    pub(crate) main: &'static str,
    /// The line of an array reference: in a function that is counted, unless closed forms are what is missing.
    pub(crate) line: u32,
    /// The file that has to be named.
    pub(crate) subject: &'static str,
    /// The number of its lines that are counted, if there are: then a line behind these has to be named, or `walk`.
    pub(crate) counted_lines: Option<usize>,
    /// Options for counting.
    pub(crate) options: &'static [&'static str],
    /// The files of the base of a comparison, and of the head.
    pub(crate) base: Vec<(&'static str, String)>,
    pub(crate) head: Vec<(&'static str, String)>,
    /// What has to be done besides writing the files of the head.
    pub(crate) arrange: fn(&Folder),
}

/// A language: the name of a file, a function that is counted with the line of a reference, and a walk along rows.
struct Language {
    main: &'static str,
    good: &'static str,
    line: u32,
    walk: &'static str,
}

const C: Language = Language {
    main: "k.c",
    good: "void good(int n, double *x)\n{\n  for (int i = 0; i < n; i++)\n    x[i] *= 2;\n}\n",
    line: 4,
    walk: "void walk(double a[64][64], double *b)\n{\n  for (int i = 0; i < 64; i++)\n    \
           for (int j = 0; j < 64; j++)\n      b[i] += a[i][j];\n}\n",
};

const FORTRAN: Language = Language {
    main: "k.f90",
    good: "subroutine good(n, x)\n  integer :: n, i\n  real(8) :: x(n)\n  do i = 1, n\n    \
           x(i) = 2 * x(i)\n  end do\nend subroutine\n",
    line: 5,
    walk: "subroutine walk(a, b)\n  real(8) :: a(64, 64), b(64)\n  integer :: i, j\n  do i = 1, 64\n    \
           do j = 1, 64\n      b(i) = b(i) + a(j, i)\n    end do\n  end do\nend subroutine\n",
};

const RUST: Language = Language {
    main: "k.rs",
    good: "pub fn good(n: usize, x: &mut [f64; 1000]) {\n    for i in 0..n {\n        x[i] *= 2.0;\n    }\n}\n",
    line: 3,
    walk: "pub fn walk(a: &[[f64; 64]; 64], b: &mut [f64; 64]) {\n    for i in 0..64 {\n        \
           for j in 0..64 {\n            b[i] += a[i][j];\n        }\n    }\n}\n",
};

/// A walk along columns that counts as a finding.
const COLUMNS: &str = "void walk(double a[512][512], double *b)\n{\n  for (int j = 0; j < 512; j++)\n    \
                       for (int i = 0; i < 512; i++)\n      b[j] += a[i][j];\n}\n";

/// A walk to elements that no affine function gives.
const SQUARES: &str = "void walk(double *b) { for (int i = 0; i < 64; i++) b[i * i] = 0; }\n";

/// In C: what is left of `walk`, by what is missing.
const IN_C: [(&str, Missing, &str); 17] = [
    ("syntax", Missing::Text, "void walk(void { for for }}}\n"),
    (
        "open comment",
        Missing::Text,
        "/* void walk(void) { for (;;) ; }\n",
    ),
    (
        "open literal",
        Missing::Text,
        "void walk(void) { for (int i = 0; i < 9; i++) f(\"); }\n",
    ),
    ("header of itself", Missing::Text, "#include \"k.c\"\n"),
    (
        "condition",
        Missing::Text,
        "#if WALK(\nvoid walk(void) { for (;;) ; }\n#endif\n",
    ),
    ("directive", Missing::Text, "#define 5 walk\n"),
    (
        "invocation",
        Missing::Text,
        "#define WALK(a, b) a b\nvoid walk(void) { WALK(for (;;) ;) }\n",
    ),
    (
        "invocation that is no loop",
        Missing::Text,
        "#define WALK(i, b) for (int i = 0; i < 64; i++) b[i] = 0\nvoid walk(double *b) { WALK(b); }\n",
    ),
    (
        "macro limit",
        Missing::Text,
        "#define A for (;;) ;\n#define B A A A A A A A A A A\n#define C B B B B B B B B B B\n\
         #define D C C C C C C C C C C\n#define E D D D D D D D D D D\n#define F E E E E E E E E E E\n\
         #define G F F F F F F F F F F\nvoid walk(void) { G; }\n",
    ),
    (
        "open literal in a macro",
        Missing::Text,
        "#define WALK \"for (;;) ;\n",
    ),
    ("error directive", Missing::Text, "#error no walk here\n"),
    (
        "convergence",
        Missing::Nest,
        "void walk(double *b) { while (b[0] > 0) b[0] /= 2; }\n",
    ),
    (
        "unknown call",
        Missing::Nest,
        "void next(int *);\nvoid walk(double *b) { for (int i = 0; i < 64; next(&i)) b[i] = 0; }\n",
    ),
    (
        "unknown call without a pointer",
        Missing::Nest,
        "void store(int, int);\nvoid walk(void)\n{\n  for (int i = 0; i < 64; i++)\n    for (int j = 0; j < 64; j++)\n      \
         store(i, j);\n}\n",
    ),
    (
        "recursion",
        Missing::Nest,
        "void walk(int k, double *b) { for (int i = 0; i < 64; i++) { b[i] = 0; if (k) walk(k - 1, b); } }\n",
    ),
    (
        "jump",
        Missing::Nest,
        "void walk(double *b)\n{\n  for (int i = 0; i < 64; i++) {\n    b[i] = 0;\n    if (b[i] > 0) goto *(void *)b;\n  }\n}\n",
    ),
    (
        "no size",
        Missing::Size,
        "void walk(int m, double *b) { for (int i = 0; i < m; i++) b[2 * i] = 0; }\n",
    ),
];

const IN_FORTRAN: [(&str, Missing, &str); 10] = [
    (
        "syntax",
        Missing::Text,
        "subroutine walk(\n  do do i = ,\nend\n",
    ),
    ("include of itself", Missing::Text, "include 'k.f90'\n"),
    (
        "convergence",
        Missing::Nest,
        "subroutine walk(b)\n  real(8) :: b(64)\n  do while (b(1) > 0)\n    b(1) = b(1) / 2\n  end do\nend subroutine\n",
    ),
    (
        "unknown call",
        Missing::Nest,
        "subroutine walk(b)\n  real(8) :: b(64)\n  integer :: i\n  do i = 1, 64\n    call next(b)\n    \
         b(i) = 0\n  end do\nend subroutine\n",
    ),
    (
        "unknown call without an array",
        Missing::Nest,
        "subroutine walk()\n  integer :: i\n  do i = 1, 64\n    call store(i)\n  end do\nend subroutine\n",
    ),
    (
        "array of a missing module",
        Missing::Nest,
        "subroutine walk(b)\n  use fields\n  real(8) :: b(64)\n  integer :: i\n  do i = 1, 64\n    \
         b(i) = u(i)\n  end do\nend subroutine\n",
    ),
    (
        "assignment to a missing module",
        Missing::Nest,
        "subroutine walk()\n  use fields\n  integer :: i\n  do i = 1, 64\n    u = i\n  end do\nend subroutine\n",
    ),
    (
        "array statement",
        Missing::Nest,
        "subroutine walk(b, m)\n  real(8) :: b(64)\n  logical :: m(64)\n  b = pack(b, m)\nend subroutine\n",
    ),
    (
        "loop over real numbers",
        Missing::Nest,
        "subroutine walk(b)\n  real(8) :: b(64), x\n  do x = 0.0, 1.0, 0.5\n    b = x\n  end do\nend subroutine\n",
    ),
    (
        "statement function of itself",
        Missing::Nest,
        "subroutine walk(b)\n  real(8) :: b(64), f, y\n  integer :: i\n  f(y) = f(y) + 1\n  do i = 1, 64\n    \
         b(i) = f(b(i))\n  end do\nend subroutine\n",
    ),
];

const IN_RUST: [(&str, Missing, &str); 12] = [
    ("syntax", Missing::Text, "pub fn walk( { for for }}}\n"),
    ("module without a file", Missing::Text, "mod walk;\n"),
    ("include", Missing::Text, "include!(\"walk.in\");\n"),
    (
        "items of a macro",
        Missing::Nest,
        "foo! { pub fn walk(b: &mut [f64; 64]) { for i in 0..64 { b[i] = 0.0; } } }\n",
    ),
    (
        "parallel closures",
        Missing::Nest,
        "pub fn walk(b: &mut [f64; 64]) {\n    rayon::join(\n        || {\n            for i in 0..64 {\n                \
         b[i] = 0.0;\n            }\n        },\n        || (),\n    );\n}\n",
    ),
    (
        "thread",
        Missing::Nest,
        "pub fn walk(b: &mut [f64; 64]) {\n    std::thread::scope(|s| {\n        s.spawn(|| {\n            \
         for i in 0..64 {\n                b[i] = 0.0;\n            }\n        });\n    });\n}\n",
    ),
    (
        "returned closure",
        Missing::Nest,
        "pub fn walk() -> impl Fn(&mut [f64; 64]) {\n    |b| {\n        for i in 0..64 {\n            b[i] = 0.0;\n        \
         }\n    }\n}\n",
    ),
    (
        "static closure",
        Missing::Nest,
        "pub static WALK: fn(&mut [f64; 64]) = |b| {\n    for i in 0..64 {\n        b[i] = 0.0;\n    }\n};\n",
    ),
    (
        "thread local",
        Missing::Nest,
        "thread_local! { static K: f64 = { let a = [1.0f64; 256]; let mut s = 0.0; for i in 0..256 { s += a[i]; } s } }\n",
    ),
    (
        "unknown call without a reference",
        Missing::Nest,
        "pub fn walk() {\n    for i in 0..64 {\n        other::store(i);\n    }\n}\n",
    ),
    (
        "convergence",
        Missing::Nest,
        "pub fn walk(b: &mut [f64; 64]) {\n    while b[0] > 0.0 {\n        b[0] /= 2.0;\n    }\n}\n",
    ),
    (
        "unknown iterator",
        Missing::Nest,
        "pub fn walk(it: impl Iterator<Item = usize>, b: &mut [f64; 64]) {\n    for i in it {\n        b[i] = 0.0;\n    }\n}\n",
    ),
];

/// What a text leaves out: its name, what is missing, and the text.
type OmissionText = (&'static str, Missing, &'static str);

/// All inputs.
pub(crate) fn inputs() -> Vec<Input> {
    let mut all = Vec::new();
    let languages: [(&Language, &[OmissionText]); 3] =
        [(&C, &IN_C), (&FORTRAN, &IN_FORTRAN), (&RUST, &IN_RUST)];
    for (language, walks) in languages {
        all.extend(walks.iter().map(|walk| of_text(language, walk)));
    }
    all.push(headers());
    all.extend(budgets());
    all.extend(files());
    all
}

/// Each language with nothing missing.
pub(crate) fn complete() -> Vec<Input> {
    let of_one =
        |language: &Language| of_text(language, &("complete", Missing::Text, language.walk));
    [&C, &FORTRAN, &RUST].map(of_one).into()
}

fn of_text(language: &Language, (name, missing, walk): &(&str, Missing, &str)) -> Input {
    let good = language.good;
    Input {
        name: format!("{name} in {}", language.main),
        missing: *missing,
        main: language.main,
        line: language.line,
        subject: language.main,
        counted_lines: Some(good.lines().count()),
        options: &[],
        base: vec![(language.main, format!("{good}{}", language.walk))],
        head: vec![(language.main, format!("{good}{walk}"))],
        arrange: |_| {},
    }
}

/// More headers than are read.
fn headers() -> Input {
    let mut input = of_text(&C, &("headers", Missing::Text, ""));
    for (file, header) in [("k.c", "walks.h"), ("walks.h", "walk.h")] {
        let includes = format!("#include \"{header}\"\n").repeat(150);
        match input.head.iter_mut().find(|(known, _)| *known == file) {
            Some((_, text)) => text.push_str(&includes),
            None => input.head.push((file, includes)),
        }
    }
    input.head.push(("walk.h", "int walk(void);\n".to_owned()));
    // Which header is the first that is not read does not matter.
    input.counted_lines = None;
    input.subject = "walk";
    input
}

/// A nest that takes more steps than there are.
fn budgets() -> [Input; 4] {
    let huge = COLUMNS.replace("512", "1048576");
    let of_options = |missing, options| Input {
        options,
        ..of_text(&C, &("budget", missing, &huge))
    };
    [
        of_options(Missing::Count, &["--budget", "1000", "--engine", "trace"]),
        of_options(
            Missing::Exactness,
            &["--budget", "1000", "--effort", "1000"],
        ),
        // Only a trace counts levels that are not LRU.
        Input {
            options: &["--engine", "closed", "--cache", "L1=32768,8,64,fifo"],
            ..of_text(&C, &("closed forms alone", Missing::Level, C.walk))
        },
        Input {
            line: 6,
            options: &["--engine", "closed"],
            ..of_text(&C, &("no closed form", Missing::Form, SQUARES))
        },
    ]
}

/// Files that a folder has, and that are easily passed over.
fn files() -> Vec<Input> {
    let good = || ("k.c", C.good.to_owned());
    let walk = |name: &str, file: &'static str, arrange: fn(&Folder)| Input {
        name: name.to_owned(),
        missing: Missing::File,
        main: "k.c",
        line: C.line,
        subject: file,
        counted_lines: None,
        options: &[],
        base: vec![good(), (file, C.walk.to_owned())],
        head: vec![good(), (file, COLUMNS.to_owned())],
        arrange,
    };
    let renamed = |to: &'static str| Input {
        missing: Missing::Unread,
        base: vec![good(), ("walk.c", C.walk.to_owned())],
        ..walk("another language", to, |_| {})
    };
    vec![
        walk("ignored and tracked", "walk.c", |folder| {
            folder.write(".gitignore", "walk.c\n");
        }),
        walk("hidden", ".walk.c", |_| {}),
        walk("in a hidden folder", ".walks/walk.c", |_| {}),
        renamed("walk.cc"),
        renamed("walk.cu"),
        renamed("walk.hip"),
        unreadable_name(good(), walk),
        link_to_nothing(good(), walk),
        linked_folder(good(), walk),
    ]
}

#[cfg(unix)]
fn unreadable_name(
    good: (&'static str, String),
    walk: impl Fn(&str, &'static str, fn(&Folder)) -> Input,
) -> Input {
    Input {
        missing: Missing::Unread,
        base: vec![good.clone()],
        head: vec![good],
        ..walk("a name that is no text", "alk.c", |folder| {
            use std::os::unix::ffi::OsStrExt as _;
            let name = std::ffi::OsStr::from_bytes(b"src/\xffalk.c");
            std::fs::write(folder.0.join(name), COLUMNS).expect("it is written");
        })
    }
}

#[cfg(unix)]
fn link_to_nothing(
    good: (&'static str, String),
    walk: impl Fn(&str, &'static str, fn(&Folder)) -> Input,
) -> Input {
    Input {
        missing: Missing::Unread,
        head: vec![good],
        ..walk("a link to nothing", "walk.c", |folder| {
            let link = folder.0.join("src/walk.c");
            std::os::unix::fs::symlink("nothing.c", link).expect("it is made");
        })
    }
}

#[cfg(unix)]
fn linked_folder(
    good: (&'static str, String),
    walk: impl Fn(&str, &'static str, fn(&Folder)) -> Input,
) -> Input {
    Input {
        base: vec![good.clone(), ("../lib/walk.c", C.walk.to_owned())],
        head: vec![good, ("../lib/walk.c", COLUMNS.to_owned())],
        ..walk("behind a link", "walk.c", |folder| {
            for link in ["src/lib", "base/src/lib"] {
                let link = folder.0.join(link);
                std::os::unix::fs::symlink("../lib", link).expect("it is made");
            }
        })
    }
}
