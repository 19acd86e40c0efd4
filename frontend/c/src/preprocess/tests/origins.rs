//! Where the text comes from.

use super::{Outcome, program};

impl Outcome {
    /// Checks where a part of the preprocessed text was written, as text of a file.
    #[track_caller]
    fn origin(self, part: &str, expected: &str) -> Self {
        let start = self
            .out
            .text
            .find(part)
            .unwrap_or_else(|| panic!("no {part}"));
        let span = self.out.origins.span(start..start + part.len());
        assert_eq!(self.sources.text(span), expected, "origin of {part}");
        self
    }
}

#[test]
fn written_tokens_have_their_own_place() {
    program("int a; // x\nint   b[ 3 ];\n#define X\nint c;")
        .check("int a; int b[ 3 ]; int c;")
        .origin("b[ 3 ]", "b[ 3 ]")
        .origin("c;", "c;")
        .origin("a;", "a;")
        .origin("a;\nint   b", "a; // x\nint   b");
}

#[test]
fn a_replacement_has_the_place_of_its_invocation() {
    program("#define AT(i,j) a[(i)*n+(j)]\nx = AT(i+1,k) + 1;")
        .check("x = a[(i+1)*n+(k)] + 1;")
        .origin("a[(i+1)*n+(k)]", "AT(i+1,k)")
        .origin("i+1", "i+1")
        .origin("k", "k")
        .origin("i+1)*n+(k", "AT(i+1,k)")
        .origin("x = a[(i+1)*n+(k)] + 1;", "x = AT(i+1,k) + 1;")
        .origin("x = a", "x = AT(i+1,k)");
}

#[test]
fn arguments_keep_their_places() {
    program("#define max_score(s1,s2) ((s1 >= s2) ? s1 : s2)\nr = max_score(t[i][j], t[i][j-1]);")
        .check("r = ((t[i][j] >= t[i][j-1]) ? t[i][j] : t[i][j-1]);")
        .origin("t[i][j]", "t[i][j]")
        .origin("t[i][j-1]", "t[i][j-1]")
        .origin("t[i][j] >= t[i][j-1]", "max_score(t[i][j], t[i][j-1])");
}

#[test]
fn the_outermost_invocation_counts() {
    program("#define B(x) [x+1]\n#define A(x) q B(x) r\nA(5);")
        .check("q [5+1] r;")
        .origin("[5+1]", "A(5)")
        .origin("5", "5");
    program("#define B(x) [x+1]\n#define ID(x) x\nID(u B(v) w);")
        .check("u [v+1] w;")
        .origin("[v+1]", "B(v)")
        .origin("u [v+1] w", "u B(v) w");
    program("#define g(x) {x}\n#define f g\nf(7) N")
        .check("{7} N")
        .origin("{", "f(7)")
        .origin("N", "N");
}

#[test]
fn headers_are_files_of_their_own() {
    let outcome = program("#include \"a.h\"\nint y;")
        .file("a.h", "int x;")
        .check("int x; int y;");
    let start = outcome.out.text.find('x').unwrap();
    let span = outcome.out.origins.span(start..start + 1);
    assert_eq!(outcome.sources.file(span.file).path(), "a.h");
    assert_eq!((span.start, span.end), (4, 5));
}

#[test]
fn any_range_has_an_origin() {
    let outcome = program("\n#define A x y\n A q").run();
    for start in 0..outcome.out.text.len() + 3 {
        for end in 0..outcome.out.text.len() + 3 {
            let _ = outcome.out.origins.span(start..end);
        }
    }
    let _ = program("").run().out.origins.span(0..9);
}
