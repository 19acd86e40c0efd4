//! Sizes, alignments and offsets of types, as a C compiler has them.
//!
//! A C program prints what the compiler makes of random types; what we make of them is in the
//! addresses of `p[sizeof(T)]` and its like. Where there is no compiler, the recorded answers of one
//! in `testdata/layouts` are compared with all the same.

#![allow(clippy::disallowed_methods, reason = "runs a compiler")]

mod generate;

use generate::{Declared, PRELUDE, Random, types};
use premiss_c::{Options, read};
use premiss_source::{MemoryFiles, SourceMap};
use premiss_tree::{AccessKind, Expression};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How many types are compared.
const N_TYPES: usize = 1_000;
/// How many of them are recorded.
const N_RECORDED: usize = 300;
/// Of the recorded types, and of those that are tried where there is a compiler.
const SEEDS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0x2545_f491_4f6c_dd1d];

/// The functions whose accesses tell what we take the types to be, one a type.
fn probes(types: &[Declared]) -> String {
    let mut text = PRELUDE.to_owned();
    for (idx, declared) in types.iter().enumerate() {
        let name = &declared.name;
        text.push_str(&declared.text);
        write!(
            text,
            "void f{idx}({name} *s, char *p) {{\n  for (int i = 0; i < 1; i++) {{\n"
        )
        .expect("a string");
        write!(
            text,
            "    p[sizeof({name})] = 0;\n    p[_Alignof({name})] = 0;\n"
        )
        .expect("a string");
        for member in &declared.members {
            let member_name = &member.name;
            match member.is_bit_field {
                true => writeln!(text, "    s->{member_name};").expect("a string"),
                false => {
                    writeln!(text, "    p[offsetof({name}, {member_name})] = 0;")
                        .expect("a string");
                }
            }
        }
        text.push_str("  }\n}\n");
    }
    text
}

/// The program that prints the same: one line a type, bit-fields as first byte and number of bytes.
fn program(types: &[Declared]) -> String {
    let mut text = "#include <stdio.h>\n#include <string.h>\n".to_owned();
    text.push_str(PRELUDE);
    text.push_str(
        "static void bits(const unsigned char *s, size_t n) {\n  size_t first = n, last = 0;\n  \
         for (size_t i = 0; i < n; i++) if (s[i]) { if (first == n) first = i; last = i; }\n  \
         printf(\" %zu+%zu\", first, last - first + 1);\n}\n",
    );
    for declared in types {
        text.push_str(&declared.text);
    }
    for (idx, declared) in types.iter().enumerate() {
        let name = &declared.name;
        write!(text, "static void f{idx}(void) {{\n  static {name} s;\n  printf(\"%zu %zu\", sizeof({name}), _Alignof({name}));\n").expect("a string");
        for member in &declared.members {
            let member_name = &member.name;
            match member.is_bit_field {
                true => writeln!(text, "  memset(&s, 0, sizeof s); s.{member_name} = -1; bits((unsigned char *)&s, sizeof s);"),
                false => writeln!(text, "  printf(\" %zu\", offsetof({name}, {member_name}));"),
            }
            .expect("a string");
        }
        text.push_str("  printf(\"\\n\");\n}\n");
    }
    text.push_str("int main(void) {\n");
    for idx in 0..types.len() {
        writeln!(text, "  f{idx}();").expect("a string");
    }
    text.push_str("  return 0;\n}\n");
    text
}

/// What we make of the probes, in the form of the program's lines.
fn ours(text: &str) -> Vec<String> {
    let mut sources = SourceMap::new();
    let main = sources.add("types.c", text.into()).expect("a small file");
    let options = Options::default();
    let unit = read(&mut sources, main, &options, &MemoryFiles::new());
    let mut lines = Vec::new();
    for tree in &unit.functions {
        let numbers = tree.references.values().map(|reference| {
            let offset = match &reference.offset {
                Expression::Integer(offset) => offset.to_string(),
                other => format!("{other:?}"),
            };
            match reference.kind {
                AccessKind::Store => offset,
                AccessKind::Load => format!("{offset}+{}", reference.size),
            }
        });
        let numbers: Vec<String> = numbers.collect();
        lines.push(numbers.join(" "));
    }
    lines
}

#[track_caller]
fn compare(types: &[Declared], expected: &str) {
    let found = ours(&probes(types));
    let expected: Vec<&str> = expected.lines().collect();
    assert_eq!(found.len(), expected.len(), "a line for each type");
    let mut wrong = String::new();
    let mut n_wrong = 0;
    for ((declared, found), expected) in types.iter().zip(&found).zip(expected) {
        if found == expected {
            continue;
        }
        n_wrong += 1;
        if n_wrong <= 5 {
            write!(
                wrong,
                "{}  found {found}\n  expected {expected}\n",
                declared.text
            )
            .expect("a string");
        }
    }
    assert!(n_wrong == 0, "{n_wrong} types differ, such as\n{wrong}");
}

fn recorded(name: &str) -> PathBuf {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/layouts");
    testdata.join(name)
}

/// What the compiler says; `None` where there is none for x86-64.
fn compiled(types: &[Declared]) -> Option<String> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return None;
    }
    let folder = std::env::temp_dir().join(format!("premiss-layouts-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the program");
    let (source, binary) = (folder.join("types.c"), folder.join("types"));
    std::fs::write(&source, program(types)).expect("the program is written");
    let cc = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let output = Command::new(cc)
        .args(["-w", "-std=gnu11", "-o"])
        .arg(&binary)
        .arg(&source)
        .output();
    let output = output.ok()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the program compiles: {errors}");
    let printed = Command::new(&binary).output().expect("the program runs");
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
    Some(String::from_utf8(printed.stdout).expect("numbers"))
}

/// Records what the compiler says of the first types.
fn record(types: &[Declared], answers: &str) {
    let text = types[..N_RECORDED]
        .iter()
        .map(|declared| declared.text.as_str());
    let lines = answers
        .lines()
        .take(N_RECORDED)
        .map(|line| format!("{line}\n"));
    std::fs::write(recorded("types.h"), text.collect::<String>()).expect("types are recorded");
    std::fs::write(recorded("answers.txt"), lines.collect::<String>())
        .expect("answers are recorded");
}

#[test]
fn types_lie_as_a_compiler_laid_them_out() {
    let types = types(&mut Random(SEEDS[0]), N_RECORDED);
    let answers = std::fs::read_to_string(recorded("answers.txt")).expect("recorded answers");
    let text: String = types
        .iter()
        .map(|declared| declared.text.as_str())
        .collect();
    let known = std::fs::read_to_string(recorded("types.h")).expect("recorded types");
    assert!(
        text == known,
        "the generator still makes the recorded types"
    );
    compare(&types, &answers);
}

#[test]
#[allow(clippy::print_stdout)]
fn types_lie_as_the_compiler_says() {
    for seed in SEEDS {
        let types = types(&mut Random(seed), N_TYPES);
        match compiled(&types) {
            Some(answers) => {
                if std::env::var_os("PREMISS_RECORD").is_some() && seed == SEEDS[0] {
                    record(&types, &answers);
                }
                compare(&types, &answers);
            }
            None => println!("there is no C compiler for x86-64 Linux: nothing to compare with"),
        }
    }
}
