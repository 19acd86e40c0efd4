//! C in, trees out.

mod constants;
mod foreign_calls;
mod hostile;
mod initializers;
mod intrinsics;
mod kernels;
mod linking;
mod passes;
mod pointers;
mod preambles;
mod rows;
mod sizes;
mod strides;
mod structs;
mod symbolic;
mod trees;
mod undeclared_types;
mod unknown_macros;
mod unsigned;

use crate::{MacroFlag, Options, TranslationUnit, read};
use premiss_source::{MemoryFiles, SourceMap};
use std::collections::BTreeMap;

/// Reads a text as a file `test.c`.
fn read_c(text: &str, sizes: &[(&str, i64)]) -> TranslationUnit {
    read_c_with(text, sizes, Vec::new())
}

/// Reads a text with these names kept symbolic.
fn read_symbolic(text: &str, symbolic: &[&str]) -> (SourceMap, TranslationUnit) {
    let mut sources = SourceMap::new();
    let main = sources.add("test.c", text.into()).expect("a small file");
    let options = Options {
        symbolic: symbolic.iter().map(ToString::to_string).collect(),
        ..Options::default()
    };
    let unit = read(&mut sources, main, &options, &MemoryFiles::new());
    (sources, unit)
}

fn read_c_with(text: &str, sizes: &[(&str, i64)], macros: Vec<MacroFlag>) -> TranslationUnit {
    let mut sources = SourceMap::new();
    let main = sources.add("test.c", text.into()).expect("a small file");
    let sizes: BTreeMap<String, i64> = sizes.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect();
    let options = Options {
        macros,
        sizes,
        ..Options::default()
    };
    read(&mut sources, main, &options, &MemoryFiles::new())
}

/// All trees of a file, as text.
fn trees(text: &str) -> String {
    let unit = read_c(text, &[]);
    unit.functions.iter().map(ToString::to_string).collect()
}

/// Compares the trees of a file with what is expected; indentation of the whole does not count.
#[track_caller]
fn check(text: &str, expected: &str) {
    let found = trees(text);
    let expected = unindented(expected);
    assert!(
        found.trim_end() == expected.trim_end(),
        "found:\n{found}\nexpected:\n{expected}"
    );
}

fn unindented(text: &str) -> String {
    let lines: Vec<&str> = text
        .lines()
        .skip_while(|line| line.trim().is_empty())
        .collect();
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let common = lines
        .iter()
        .filter(|line| !line.trim().is_empty())
        .map(indent)
        .min()
        .unwrap_or(0);
    let cut = |line: &&str| line.get(common..).unwrap_or("").to_owned();
    lines.iter().map(cut).collect::<Vec<_>>().join("\n")
}
