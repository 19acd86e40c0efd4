//! Directives, headers and what the command line adds.

use super::super::{PreambleId, PreprocessCache, PreprocessOptions, preprocess_with};
use super::{check, program};
use premiss_source::{MemoryFiles, SourceMap};

/// Checks whether an `#if` expression is true.
#[track_caller]
fn condition(expression: &str, truth: bool) {
    let expected = if truth { "yes" } else { "no" };
    check(
        &format!("#define ONE 1\n#if {expression}\nyes\n#else\nno\n#endif"),
        expected,
    );
}

#[test]
fn conditions_have_the_values_of_c() {
    condition("1 + 2 * 3 == 7 && !0", true);
    condition("ONE == 01 && 0x10 == 16 && 0b11 == 3", true);
    condition("UNKNOWN", false);
    condition("defined ONE && defined(ONE) && !defined NONE", true);
    condition("-1 > 0u", true);
    condition("-1 < 0", true);
    condition("1 ? 0 : 1", false);
    condition("(2 || 1/0) && !(0 && 1/0) && (1 ? 1 : 1/0)", true);
    condition(
        "'a' == 97 && '\\n' == 10 && '\\377' < 0 && '\\x41' == 'A'",
        true,
    );
    condition("18446744073709551615u == -1", true);
    condition(
        "-9223372036854775807 - 1 < 0 && (-9223372036854775807 - 1) / -1 != 1",
        true,
    );
    condition("1 << 63 < 0 && -8 >> 1 == -4 && ~0 == -1", true);
    condition("7 - 2 - 1 == 4 && 100 / 10 / 5 == 2 && 1 ? 1 : 0", true);
    condition(
        "__has_include(<stdio.h>) && !__has_include(\"nowhere.h\")",
        true,
    );
    condition(
        "__STDC_VERSION__ >= 199901L && __LP64__ && __SIZEOF_LONG__ == 8",
        true,
    );
}

#[test]
fn only_one_group_is_read() {
    let chain = "#if A\na\n#elif B\nb\n#elifdef C\nc\n#elifndef D\nd\n#else\ne\n#endif";
    for (name, left) in [("A", "a"), ("B", "b"), ("C", "c")] {
        program(chain).define(name, "1").check(left).clean();
    }
    program(chain).check("d").clean();
    program(chain).define("D", "0").check("e").clean();
    check(
        "#if 0\n#if 1\na\n#else\nb\n#endif\n#elif 1\nc\n#endif\nd",
        "c d",
    );
    check("#ifdef X\ndon't /* # \n*/ #if\n# endif\nz", "z");
    check("#if 0\n'\n#bogus (\n\"\n#else // x\n y\n#endif", "y");
    check("#ifndef N\n#define N 3\n#endif\nN", "3");
}

#[test]
fn broken_directives_are_passed_over() {
    program("a\n#if 1 +\nb\n#else\nc\n#endif\nd")
        .check("a c d")
        .reports(&[("malformed-condition", "#if 1 +")]);
    program("#if 1 / 0\n#endif\nx")
        .check("x")
        .reports(&[("malformed-condition", "#if 1 /")]);
    program("#define\n#define 3 x\n#define f(x y\n#define g(x) #y\n#bogus\nz")
        .check("z")
        .reports(&[
            ("malformed-directive", "#define"),
            ("malformed-directive", "3"),
            ("malformed-directive", "y"),
            ("malformed-directive", "#"),
            ("malformed-directive", "#bogus"),
        ]);
    program("#endif\n#else\n#elif 1\nx").check("x").reports(&[
        ("malformed-directive", "#endif"),
        ("malformed-directive", "#else"),
        ("malformed-directive", "#elif"),
    ]);
    program("#if 1\nx")
        .check("x")
        .reports(&[("malformed-directive", "#if")]);
    program("#if 0\nx")
        .check("")
        .reports(&[("malformed-directive", "#if")]);
    program("x /* y")
        .check("x")
        .reports(&[("unterminated-comment", "/*")]);
    program("a 'b\nc")
        .check("a 'b c")
        .reports(&[("unterminated-literal", "'b")]);
    program("#error no  size\n#if 0\n#error x\n#endif\n#warning don't\ny")
        .check("y")
        .reports(&[
            ("error-directive", "#error no  size"),
            ("warning-directive", "#warning don't"),
        ]);
}

#[test]
fn headers_are_found_in_the_order_of_compilers() {
    program("#include \"a.h\"\n#include <a.h>")
        .file("inc/a.h", "dir")
        .file("a.h", "beside")
        .folder("inc/")
        .check("beside dir")
        .clean();
    program("#include \"sub/a.h\"")
        .file("sub/a.h", "#include \"b.h\"")
        .file("sub/b.h", "b")
        .check("b")
        .clean();
    program("#include <math.h>\n")
        .file("inc/math.h", "own")
        .folder("inc")
        .check("own")
        .clean();
    program("#define H <a.h>\n#define Q \"b.h\"\n#include H\n#include Q")
        .file("inc/a.h", "a")
        .file("b.h", "b")
        .folder("inc")
        .check("a b")
        .clean();
    program("#include <a.h>")
        .file("x/a.h", "x\n#include_next <a.h>")
        .file("y/a.h", "y")
        .folder("x")
        .folder("y")
        .check("x y")
        .clean();
}

#[test]
fn guarded_headers_are_read_once() {
    let guarded = "#ifndef A_H\n#define A_H\na\n#endif\n";
    let main = "#include \"a.h\"\n#include \"a.h\"\n";
    program(main).file("a.h", guarded).check("a").clean();
    program(main)
        .file("a.h", "#pragma once\na")
        .check("a")
        .clean();
    program(main).file("a.h", "a").check("a a").clean();
    program("#include \"a.h\"\n#include \"b/../a.h\"")
        .file("a.h", "#pragma once\na")
        .file("b/../a.h", "#pragma once\na")
        .check("a")
        .clean();
    program(format!("{main}#undef A_H\n#include \"a.h\""))
        .file("a.h", guarded)
        .check("a a")
        .clean();
    let with_else = "#ifndef A_H\n#define A_H\na\n#else\nb\n#endif\n";
    program(main).file("a.h", with_else).check("a b").clean();
}

#[test]
fn a_missing_header_is_reported_once() {
    let outcome = program("#include \"no.h\"\n#include \"no.h\"\n#include <regex.h>\nx").check("x");
    let outcome = outcome.reports(&[
        ("missing-header", "#include \"no.h\""),
        ("missing-header", "#include <regex.h>"),
    ]);
    let severities = outcome.out.diagnostics.iter().map(|it| it.severity);
    let severities: Vec<_> = severities.collect();
    use premiss_source::Severity::{Note, Warning};
    assert_eq!(severities, [Warning, Note]);
}

#[test]
fn a_header_that_no_folder_has_is_found_by_its_name() {
    let main =
        "#if __has_include(<lib/a.h>)\nno\n#endif\n#include <lib/a.h>\n#include <lib/a.h>\nx";
    let outcome = program(main)
        .file("deep/a.h", "a")
        .nearby(&["deep/a.h", "deep/b.h"])
        .check("a a x")
        .reports(&[("header-by-name", "#include <lib/a.h>")]);
    assert!(outcome.out.diagnostics[0].message.contains("`deep/a.h`"));
    // Where two fit as well, one is taken, and the report says so.
    let outcome = program("#include <a.h>")
        .file("b/a.h", "b")
        .file("c/a.h", "c")
        .nearby(&["c/a.h", "b/a.h"])
        .check("b")
        .reports(&[("header-by-name", "#include <a.h>")]);
    let found = &outcome.out.diagnostics[0];
    assert_eq!(found.severity, premiss_source::Severity::Warning);
    assert!(found.message.contains("`b/a.h`; it may be `c/a.h` as well"));
    // The same text is no guess.
    let outcome = program("#include <a.h>")
        .file("patches/old/a.h", "b")
        .file("c/a.h", "b")
        .nearby(&["c/a.h", "patches/old/a.h"])
        .check("b")
        .reports(&[("header-by-name", "#include <a.h>")]);
    let found = &outcome.out.diagnostics[0];
    assert_eq!(found.severity, premiss_source::Severity::Note);
    assert!(found.message.ends_with("`c/a.h`"));
    // Headers of the system are no headers of the program.
    program("#include <regex.h>")
        .file("b/regex.h", "b")
        .nearby(&["b/regex.h"])
        .check("")
        .reports(&[("missing-header", "#include <regex.h>")]);
}

#[test]
fn the_template_of_a_header_that_the_build_makes_is_read_with_answers() {
    let template = "#undef HAVE_STRDUP\n# undef HAVE_WIDGETS\n#undef SIZEOF_LONG\n#if !HAVE_DECL_ISNAN\n#define isnan mine\n#endif\n\
                    #undef HAVE_DECL_HYPOT\n#if !HAVE_DECL_HYPOT\n#define hypot mine\n#endif";
    let main = "#include <config.h>\n#include <config.h>\nHAVE_STRDUP HAVE_WIDGETS SIZEOF_LONG isnan hypot";
    program(main)
        .file("deep/config.h.in", template)
        .nearby(&["deep/config.h.in"])
        .check("1 HAVE_WIDGETS 8 mine hypot")
        .reports(&[("header-template", "#include <config.h>")]);
    // A header that was made goes before.
    program("#include \"config.h\"\nHAVE_STRDUP")
        .file("config.h.in", template)
        .file("config.h", "#undef HAVE_STRDUP")
        .check("HAVE_STRDUP")
        .clean();
    // CMake asks in other words, and has other names.
    for name in [
        "a/config.h.in",
        "config.h.cmake",
        "a/config.in",
        "config.h.cmake.in",
    ] {
        program("#include \"config.h\"\nHAVE_STRDUP HAVE_WIDGETS N at_line(__LINE__)")
            .file(
                name,
                "#cmakedefine HAVE_STRDUP\n#cmakedefine01 HAVE_WIDGETS\n@MORE@\n#define N @N@",
            )
            .nearby(&[name])
            .check("1 0 N at_line(2)")
            .reports(&[("header-template", "#include \"config.h\"")]);
    }
}

#[test]
fn a_type_that_nothing_chooses_is_the_double_or_the_first_one() {
    let chain = "#if defined(SINGLE)\ntypedef float real;\n#define R(x) x##F\n#elif defined(DOUBLE)\n\
                 typedef double real;\n#define R(x) x\n#endif\n";
    program("#include \"types.h\"\nR(1.0) DOUBLE")
        .file("types.h", chain)
        .check("typedef double real; 1.0 1")
        .reports(&[("configuration-choice", "#if")]);
    program("#define SINGLE\n#include \"types.h\"\nR(1.0) DOUBLE")
        .file("types.h", chain)
        .check("typedef float real; 1.0F DOUBLE")
        .clean();
}

#[test]
fn a_header_that_includes_itself_ends() {
    let outcome = program("#include \"a.h\"\nx")
        .file("a.h", "#include \"a.h\"\n")
        .check("x");
    assert_eq!(outcome.out.diagnostics.len(), 1);
    assert!(outcome.out.diagnostics[0].message.contains("200"));
}

#[test]
fn pragmas_are_kept_apart() {
    let outcome = program(
        "#pragma scop\nfor(;;)\n#pragma omp parallel for // c\n x;\n_Pragma(\"omp \\\"s\\\"\") y;",
    )
    .check("for(;;) x; y;");
    let text = outcome.out.text.clone();
    let pragmas = &outcome.out.pragmas;
    let found: Vec<_> = pragmas
        .iter()
        .map(|it| (it.text.as_str(), text[it.offset..].trim()))
        .collect();
    assert_eq!(
        found,
        [
            ("scop", text.trim()),
            ("omp parallel for", "x; y;"),
            ("omp \"s\"", "y;"),
        ]
    );
    assert_eq!(outcome.sources.text(pragmas[0].span), "#pragma scop");
    assert_eq!(
        outcome.sources.text(pragmas[2].span),
        "_Pragma(\"omp \\\"s\\\"\")"
    );
    let made = program("#define P(x) _Pragma(#x) for\nP(omp simd) ;").check("for ;");
    assert_eq!(made.out.pragmas[0].text, "omp simd");
    assert_eq!(made.sources.text(made.out.pragmas[0].span), "P(omp simd)");
}

#[test]
fn command_line_macros_come_in_order() {
    program("A B f(1)")
        .define("A", "1")
        .undefine("A")
        .define("B", "2")
        .define("f(x)", "x+x")
        .check("A 2 1+1")
        .clean();
    program("linux __linux__")
        .undefine("linux")
        .check("linux 1");
}

#[test]
fn overrides_replace_object_macros() {
    let outcome = program(
        "#ifndef N\n#define N 4\n#endif\n#define M (N-1)\n#define f(x) x\nN M f(1) K\n#if N > 50\nbig\n#endif",
    )
    .define("K", "7")
    .with("N", 100)
    .with("f", 3)
    .with("K", -2)
    .with("absent", 1)
    .check("100 (100-1) 1 (-2) big");
    let overridden: Vec<_> = outcome.out.overridden.iter().map(String::as_str).collect();
    assert_eq!(overridden, ["K", "N"]);
}

#[test]
fn integer_macros_are_listed() {
    let outcome = program("#include <limits.h>\n#define N 4\n#define M (N * 2)\n#define T double\n#define E\n#define S S\n#define f(x) 1\n")
        .define("K", "0x10")
        .run();
    let found = outcome.out.object_macros.iter();
    let found: Vec<_> = found
        .map(|(name, it)| (name.as_str(), it.value.as_str()))
        .collect();
    assert_eq!(found, [("K", "0x10"), ("M", "(N * 2)"), ("N", "4")]);
    let place = outcome.out.object_macros["N"].defined_at.unwrap();
    assert_eq!(outcome.sources.text(place), "N");
}

#[test]
fn redefinitions_are_reported() {
    check("#define N 1\n#define N  1\nN", "1");
    program("#define N 1\n#define N 2\nN")
        .check("2")
        .reports(&[("macro-redefined", "N")]);
}

#[test]
fn every_built_in_header_is_sound() {
    let headers = "alloca assert complex ctype endian errno fcntl features fenv float getopt inttypes limits locale \
        malloc math memory mm_malloc omp pthread sched setjmp signal stdalign stdarg stdatomic stdbool stddef \
        stdint stdio stdlib stdnoreturn string strings tgmath threads time unistd values wchar wctype \
        sys/mman sys/param sys/resource sys/stat sys/time sys/times sys/types";
    for header in headers.split_ascii_whitespace() {
        let outcome = program(format!("#include <{header}.h>\n")).run().clean();
        let mut parser = tree_sitter::Parser::new();
        parser
            .set_language(&tree_sitter_c::LANGUAGE.into())
            .unwrap();
        let tree = parser.parse(&outcome.out.text, None).unwrap();
        let known_gap = ["complex", "tgmath"].contains(&header);
        assert_eq!(tree.root_node().has_error(), known_gap, "{header}");
    }
    program("#include <stdint.h>\n#include <stdlib.h>\nNULL INT64_C(3)")
        .run()
        .clean();
}

#[test]
fn the_third_file_goes_on_after_the_headers_of_the_second() {
    let header = ("h.h", "#define N 3\nint declared(void);\n");
    let files: MemoryFiles = [header].into_iter().collect();
    let mut sources = SourceMap::new();
    let mut known = PreprocessCache::default();
    let options = PreprocessOptions::default();
    let texts: Vec<_> = (0..3)
        .map(|idx| {
            let text = b"#include \"h.h\"\nint a[N];\n".to_vec();
            let file = sources.add(format!("{idx}.c"), text).expect("a small file");
            preprocess_with(&mut sources, file, &options, &mut known, &files)
        })
        .collect();
    let preambles = known.into_preambles();
    assert_eq!(preambles.len(), 1);
    assert_eq!(preambles[0].text, "int declared(void);");
    assert!(texts[0].after.is_none() && texts[1].after.is_none());
    assert_eq!(texts[1].text, "int declared(void);\nint a[3];");
    assert_eq!(texts[2].after, Some(PreambleId(0)));
    assert_eq!(texts[2].text, "int a[3];");
}
