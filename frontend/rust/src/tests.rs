//! Rust in, trees out.

mod budgets;
mod closures;
mod generics;
mod hostile;
mod imports;
mod iterators;
mod loop_accounting;
mod loops;
mod macros;
mod order;
mod patterns;
mod rejects;
mod sizes;
mod structs;
mod unknown;

use crate::{Options, read_linked};
use premiss_incremental::TranslationUnit;
use premiss_source::{MemoryFiles, SourceMap};
use std::collections::BTreeMap;

/// Reads a text as a file `test.rs`, in whose folder there is an empty file `there.rs`.
fn read(text: &str, sizes: &[(&str, i64)]) -> TranslationUnit {
    let mut sources = SourceMap::new();
    let main = sources.add("test.rs", text.into()).expect("a small file");
    let sizes: BTreeMap<String, i64> = sizes.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect();
    let options = Options {
        sizes,
        ..Options::default()
    };
    let mut units = Vec::new();
    let files = [(main, options)];
    let folder: MemoryFiles = [("there.rs", Vec::new())].into_iter().collect();
    read_linked(&mut sources, &files, &folder, &mut |_, outcome| {
        units.extend(outcome.into_read());
    });
    units.pop().unwrap_or_default()
}

/// The codes and messages about a text.
fn reasons(text: &str) -> String {
    let unit = read(text, &[]);
    let all = unit.diagnostics.iter();
    let all = all.map(|found| format!("{}: {}\n", found.code, found.message));
    all.collect()
}

/// All trees of a file, as text.
fn trees(text: &str) -> String {
    let unit = read(text, &[]);
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
