//! Inputs that want the preprocessor to hang or fall.

use std::fmt::Write;

use proptest::prelude::*;

use super::program;

#[test]
fn an_expansion_bomb_is_left_out() {
    let mut text = String::new();
    for level in 0..60 {
        let next = level + 1;
        writeln!(text, "#define A{level} A{next} A{next}").unwrap();
    }
    text.push_str("#define A60\nx A0 y A0 z");
    let outcome = program(text).check("x A0 y A0 z");
    assert_eq!(outcome.out.diagnostics.len(), 2);
    assert!(outcome.out.diagnostics[0].message.contains("1000000"));
}

#[test]
fn a_bomb_of_arguments_is_left_out() {
    let mut text = String::from("#define f(x) x x\n");
    text.push_str(&"f(".repeat(150));
    text.push('1');
    text.push_str(&")".repeat(150));
    let outcome = program(text).run();
    assert_eq!(outcome.out.diagnostics[0].code, "macro-limit");
    let mut text = String::from("#define S(x) #x\n#define X(x) S(x)\n");
    text.push_str(&"X(".repeat(150));
    text.push_str("\"a\"");
    text.push_str(&")".repeat(150));
    assert_eq!(program(text).run().out.diagnostics[0].code, "macro-limit");
}

#[test]
fn deep_nesting_ends() {
    for (open, close) in [("f(", ")"), ("(", ")"), ("g(", ")")] {
        let n = 20_000;
        let text = format!(
            "#define f(x) x\n#define g(x) (x\n{}1{}\n",
            open.repeat(n),
            close.repeat(n)
        );
        program(text).run();
    }
    let text = format!(
        "#if {}1\nx\n#endif\n#if {}1\n#endif",
        "(".repeat(20_000),
        "!".repeat(20_000)
    );
    program(text).run();
    let text = format!("#if 1\n{}x", "#if 1\n".repeat(100_000));
    program(text).run();
    program(format!("#define f(x) x\n{}", "f(".repeat(20_000))).run();
}

#[test]
fn a_long_chain_of_macros_ends() {
    let mut text = String::new();
    for idx in 0..20_000 {
        writeln!(text, "#define A{idx} A{}", idx + 1).unwrap();
    }
    text.push_str("A0 A19000");
    let outcome = program(text).check("A0 A20000");
    assert!(outcome.out.diagnostics[0].message.contains("10000"));
}

#[test]
fn a_tree_of_headers_without_guards_ends() {
    let twice = "#include \"a.h\"\n#include \"a.h\"\n";
    let outcome = program(twice).file("a.h", twice).check("");
    assert_eq!(outcome.out.diagnostics[0].code, "include-depth");
    assert_eq!(code_beside_depth(&outcome), Some("include-limit"));
}

/// The code of the first diagnostic other than that of the depth of includes.
fn code_beside_depth(outcome: &super::Outcome) -> Option<&'static str> {
    let codes = outcome.out.diagnostics.iter().map(|found| found.code);
    codes.into_iter().find(|code| *code != "include-depth")
}

#[test]
fn a_file_that_includes_itself_twice_ends_after_a_limited_number_of_headers() {
    let text = "#include \"main.c\"\n#include \"main.c\"\nx\n";
    let outcome = program(text).run();
    let n_copies = outcome.out.text.matches('x').count();
    assert!((1..=20_001).contains(&n_copies), "{n_copies}");
    let found = outcome.out.diagnostics.iter();
    let limits: Vec<_> = found.filter(|x| x.code == "include-limit").collect();
    assert_eq!(limits.len(), 1, "it is reported once");
    assert!(limits[0].message.contains("20000 files"));
}

#[test]
fn two_headers_that_include_each_other_end_after_a_limited_number_of_headers() {
    let twice = |name: &str| format!("#include \"{name}\"\n#include \"{name}\"\n");
    let outcome = program(twice("a.h")).file("a.h", twice("b.h"));
    let outcome = outcome.file("b.h", twice("a.h")).run();
    assert_eq!(code_beside_depth(&outcome), Some("include-limit"));
}

#[test]
fn long_headers_without_guards_end_after_a_limited_number_of_bytes() {
    // 4 MiB, of which 128 MiB are 32.
    let long = format!("/*{}*/\n", "-".repeat((4 << 20) - 5));
    let outcome = program("#include \"a.h\"\n".repeat(40)).file("a.h", long);
    let outcome = outcome.run();
    outcome.reports(&[("include-limit", "#include \"a.h\"")]);
}

#[test]
fn a_guarded_header_may_be_named_any_number_of_times() {
    let guarded = "#ifndef A\n#define A\nx\n#endif\n";
    let main = "#include \"a.h\"\n".repeat(50_000);
    program(main.clone())
        .file("a.h", guarded)
        .check("x")
        .clean();
    let once = program(main).file("a.h", "#pragma once\ny\n");
    once.check("y").clean();
}

#[test]
fn many_problems_are_summed_up() {
    let outcome = program("#bogus\n".repeat(1000)).run();
    let last = outcome.out.diagnostics.last().unwrap();
    assert_eq!(last.code, "more-diagnostics");
    assert_eq!(outcome.out.diagnostics.len(), 501);
}

#[test]
fn odd_bytes_pass_through() {
    program("é \u{0} ` @ \\ $x \u{FEFF}\n\\").run();
    program("\"\\").run();
    program("#define é 3\né #").check("3 #");
    program("#include <é\n#include <>\n#include \"\"\n#include\nx").check("x");
}

const PIECES: &[&str] = &[
    "#define ",
    "#undef ",
    "#if ",
    "#ifdef ",
    "#ifndef ",
    "#elif ",
    "#else",
    "#endif",
    "#include ",
    "#pragma ",
    "_Pragma(",
    "#error ",
    "\n",
    "\n",
    "\n",
    "\\\n",
    " ",
    " ",
    "(",
    ")",
    ",",
    "#",
    "##",
    "__VA_ARGS__",
    "__VA_OPT__",
    "...",
    "f",
    "g",
    "a",
    "b",
    "f(",
    "g(",
    "f(x)",
    "g(x,...)",
    "x",
    "1",
    "0x",
    "\"s\"",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "<a.h>",
    "\"main.c\"",
    "defined ",
    "__has_include(",
    "<",
    ">",
    "__LINE__",
    "+",
    "-",
    "/",
    "%",
    "?",
    ":",
    "é",
    "&&",
    "||",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn any_bytes_end(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let outcome = program(text).run();
        let _ = outcome.out.origins.span(0..outcome.out.text.len());
    }

    #[test]
    fn any_soup_of_tokens_ends(picks in proptest::collection::vec(0..PIECES.len(), 0..120)) {
        let text: String = picks.iter().map(|pick| PIECES[*pick]).collect();
        let outcome = program(text.clone()).file("a.h", "#include <a.h>\nf(a) g(").folder(".").run();
        let length = outcome.out.text.len();
        for start in (0..length).step_by(7) {
            let _ = outcome.out.origins.span(start..length);
        }
        for (at, written) in outcome.out.text.char_indices() {
            let span = outcome.out.origins.span(at..at + written.len_utf8());
            if written.is_alphanumeric() && span.end - span.start == 1 && !text.contains("\\\n") {
                prop_assert!(matches!(outcome.sources.text(span), "f" | "g" | "a" | "b" | "x" | "1" | "0" | "s")
                    || outcome.sources.text(span) == written.to_string());
            }
        }
        for pragma in &outcome.out.pragmas {
            prop_assert!(pragma.offset <= length);
        }
    }
}
