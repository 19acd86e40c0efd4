//! Definitions of one name in several files: the one that a file imports.

use crate::{Options, read_linked};
use premiss_source::{MemoryFiles, SourceMap};

/// The trees of the files of a program, as text.
fn trees_of(files: &[(&str, &str)]) -> String {
    let mut sources = SourceMap::new();
    let mains = files.iter().map(|(path, text)| {
        let file = sources.add(*path, (*text).into()).expect("a small file");
        (file, Options::default())
    });
    let mains: Vec<_> = mains.collect();
    let mut trees = String::new();
    read_linked(
        &mut sources,
        &mains,
        &MemoryFiles::default(),
        &mut |_, outcome| {
            let read = outcome.into_read();
            let all = read.iter().flat_map(|unit| &unit.functions);
            trees.extend(all.map(ToString::to_string));
        },
    );
    trees
}

/// Two files with a struct of one name, of rows of 8 and of 4 bytes, and one that uses it.
fn trees_with(user: &str) -> String {
    let rows = |kind: &str| {
        format!(
            "pub struct Row {{ pub all: [{kind}; 9] }} impl Row {{ pub fn first(&self) -> {kind} {{ self.all[0] }} }}"
        )
    };
    let (wide, narrow) = (rows("f64"), rows("f32"));
    let user = format!(
        "{user} pub fn sum(rows: &[Row]) -> f64 {{ let mut s = 0.0; for r in rows {{ s += r.first() as f64; }} s }}"
    );
    trees_of(&[
        ("src/wide.rs", &wide),
        ("src/narrow/mod.rs", &narrow),
        ("src/user.rs", &user),
    ])
}

#[test]
fn a_struct_is_the_one_that_the_file_imports() {
    let wide = "load rows + 72 * ";
    let narrow = "load rows + 36 * ";
    for (user, expected) in [
        ("use super::wide::*;", wide),
        ("use super::narrow::*;", narrow),
        ("use crate::narrow::Row;", narrow),
        ("use super::{wide::Row, narrow::*};", wide),
    ] {
        let trees = trees_with(user);
        assert!(trees.contains(expected), "{user}: {trees}");
    }
}

#[test]
fn a_struct_that_no_import_tells_is_not_known() {
    for user in [
        "",
        "use super::{wide::*, narrow::*};",
        "use super::other::Row;",
    ] {
        let trees = trees_with(user);
        assert!(!trees.contains("load rows + "), "{user}: {trees}");
    }
}
