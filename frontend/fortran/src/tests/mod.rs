//! Fortran in, trees out.

mod arrays;
mod call_results;
mod calls;
mod do_loops;
mod entry_values;
mod expressions;
mod hostile;
mod names;
mod operators;
mod statements;
mod unparsed;

use crate::{Options, TranslationUnit, read_linked};
use premiss_source::{MemoryFiles, SourceMap};

/// Reads texts as files of those names.
fn read(files: &[(&str, &str)]) -> Vec<TranslationUnit> {
    read_with(files, &MemoryFiles::new())
}

/// As [`read`], with files that they may include.
fn read_with(files: &[(&str, &str)], included: &MemoryFiles) -> Vec<TranslationUnit> {
    let mut sources = SourceMap::new();
    let mut list = Vec::new();
    for (name, text) in files {
        let file = sources.add(*name, (*text).into()).expect("a small file");
        list.push((file, Options::default()));
    }
    let mut units = Vec::new();
    read_linked(&mut sources, &list, None, included, &mut |_, outcome| {
        units.extend(outcome.into_read());
    });
    units
}

fn trees(files: &[(&str, &str)]) -> String {
    let units = read(files);
    let trees = units.iter().flat_map(|unit| &unit.functions);
    trees.map(ToString::to_string).collect()
}

/// Compares the trees of a file with what is expected; indentation of the whole does not count.
#[track_caller]
fn check(name: &str, text: &str, expected: &str) {
    let found = trees(&[(name, text)]);
    let plain = |text: &str| -> Vec<String> {
        let lines = text.lines().map(|line| line.trim().to_owned());
        lines.filter(|line| !line.is_empty()).collect()
    };
    assert!(
        plain(&found) == plain(expected),
        "found:\n{found}\nexpected:\n{expected}"
    );
}
