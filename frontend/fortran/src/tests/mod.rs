//! Fortran in, trees out.

mod arrays;
mod call_results;
mod calls;
mod do_loops;
mod names;
mod statements;

use crate::{Options, TranslationUnit, read_linked};
use premiss_source::{MemoryFiles, SourceMap};

/// Reads texts as files of those names.
fn read(files: &[(&str, &str)]) -> Vec<TranslationUnit> {
    let mut sources = SourceMap::new();
    let mut list = Vec::new();
    for (name, text) in files {
        let file = sources.add(*name, (*text).into()).expect("a small file");
        list.push((file, Options::default()));
    }
    let mut units = Vec::new();
    let none = MemoryFiles::new();
    read_linked(&mut sources, &list, None, &none, &mut |_, outcome| {
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
