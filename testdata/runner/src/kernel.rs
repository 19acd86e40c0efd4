//! Kernels of `testdata/kernels`, read as premiss reads them.

use crate::language::Language;
use crate::truth::testdata;
use premiss_c::{FileOutcome, MacroFlag, Options, TranslationUnit, read};
use premiss_source::{Diagnostic, FileId, MemoryFiles, SourceMap};
use premiss_tree::NestTree;
use std::fs;
use std::panic::{RefUnwindSafe, catch_unwind};

/// A file and what premiss understands of it.
#[derive(Debug)]
pub struct Kernel {
    /// The texts.
    pub sources: SourceMap,
    /// The trees.
    pub unit: TranslationUnit,
}

/// Sizes of all kernels by name, at which rows are no multiple of a line.
pub const ODD_SIZES: [(&str, i64); 43] = [
    ("N", 9),
    ("M", 11),
    ("NI", 7),
    ("NJ", 9),
    ("NK", 10),
    ("NL", 11),
    ("NM", 12),
    ("NP", 9),
    ("NQ", 5),
    ("NR", 4),
    ("NX", 9),
    ("NY", 11),
    ("W", 10),
    ("H", 13),
    ("TSTEPS", 2),
    ("TMAX", 4),
    ("n", 14),
    ("m", 6),
    ("v->size", 7),
    ("v->stride", 3),
    ("m->rows", 5),
    ("m->columns", 6),
    ("m->tda", 9),
    ("count[0]", 4),
    ("lda", 13),
    ("min(first[i])", 2),
    ("max(first[i])", 7),
    ("min(last[i])", 1),
    ("max(last[i])", 10),
    ("min(tiles(t)%first)", 2),
    ("max(tiles(t)%first)", 7),
    ("min(tiles(t)%last)", 1),
    ("max(tiles(t)%last)", 10),
    ("min(tiles[t].size)", 1),
    ("max(tiles[t].size)", 5),
    ("e - x", 27),
    ("allocated(factor)", 1),
    ("present(mask)", 1),
    ("c.len()", 3),
    ("min(k)", 2),
    ("max(last)", 7),
    ("max(*count)", 5),
    ("max((int)x[0])", 5),
];

/// Which multiple of a scale, and how much more, each size of a kernel is: no two the same that could
/// stand for each other.
const SCALED: [(&str, i64, i64); 17] = [
    ("N", 1, 0),
    ("M", 1, 1),
    ("NI", 1, 0),
    ("NJ", 1, 1),
    ("NK", 1, 2),
    ("NL", 1, 3),
    ("NM", 1, 4),
    ("NP", 1, 0),
    ("NQ", 1, 1),
    ("NR", 0, 3),
    ("NX", 1, 0),
    ("NY", 1, 1),
    ("W", 1, 0),
    ("H", 1, 1),
    ("TSTEPS", 0, 3),
    ("TMAX", 0, 3),
    ("LDA", 1, 3),
];

/// Sizes of kernels that are the same at all scales.
const UNSCALED: [(&str, i64); 3] = [
    ("allocated(factor)", 0),
    ("c.len()", 4),
    ("present(mask)", 1),
];

/// The sizes of kernels at a scale, as macros of C are called.
#[must_use]
pub fn sizes_at(scale: i64) -> Vec<(&'static str, i64)> {
    let size = |(name, factor, more): (&'static str, i64, i64)| (name, factor * scale + more);
    SCALED.into_iter().map(size).collect()
}

/// The names of the kernels in C in a folder of `testdata`, not in those within it, in order.
#[must_use]
pub fn names_in(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(testdata().join(folder)).expect("a folder of kernels");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let names = names.map(|name| name.into_string().expect("a plain name"));
    let kernels = names.filter_map(|name| Some(name.strip_suffix(".c")?.to_owned()));
    let mut kernels: Vec<String> = kernels.collect();
    kernels.sort();
    assert!(!kernels.is_empty(), "{folder} has kernels");
    kernels
}

/// Checks all of them and then tells which fail.
///
/// # Panics
/// Some fail.
pub fn check_each(kernels: Vec<String>, check: impl Fn(&str) + RefUnwindSafe) {
    let fails = |kernel: &String| catch_unwind(|| check(kernel)).is_err();
    let failed: Vec<String> = kernels.into_iter().filter(fails).collect();
    assert!(failed.is_empty(), "these fail: {}", failed.join(", "));
}

impl Kernel {
    /// Reads `testdata/{path}` with macros and sizes, in the language that its suffix says. Where
    /// there are no macros, they are constants and sizes of functions.
    #[must_use]
    pub fn read(path: &str, macros: &[(&str, i64)], sizes: &[(&str, i64)]) -> Self {
        let file = testdata().join(path);
        let bytes = fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        Self::from_bytes(path, bytes, macros, sizes)
    }

    /// Reads a kernel of a language at the sizes of [`sizes_at`]: of those in C, some have macros as sizes
    /// and some have parameters.
    #[must_use]
    pub fn at_scale(kernel: &str, language: Language, scale: i64) -> Self {
        let sizes = sizes_at(scale);
        let lower: Vec<(String, i64)> = sizes
            .iter()
            .map(|(name, value)| (name.to_lowercase(), *value))
            .collect();
        let lower = lower.iter().map(|(name, x)| (name.as_str(), *x));
        let lower: Vec<(&str, i64)> = lower.chain(UNSCALED).collect();
        Self::read(&language.kernels()[kernel], &sizes, &lower)
    }

    /// Reads a text that stands for a file of that name.
    #[must_use]
    pub fn from_bytes(
        path: &str,
        bytes: Vec<u8>,
        macros: &[(&str, i64)],
        sizes: &[(&str, i64)],
    ) -> Self {
        let mut sources = SourceMap::new();
        let file = sources.add(path, bytes).expect("a file of less than 4 GiB");
        let language = Language::of(path);
        let mut unit = match language {
            Language::C => read_c(&mut sources, file, macros, sizes),
            Language::Fortran => {
                let options = premiss_fortran::Options {
                    sizes: language.sizes(macros, sizes),
                    ..premiss_fortran::Options::default()
                };
                only(|each| {
                    let files = [(file, options)];
                    let none = MemoryFiles::new();
                    premiss_fortran::read_linked(&mut sources, &files, None, &none, each);
                })
            }
            Language::Rust => {
                let options = premiss_rust::Options {
                    sizes: language.sizes(macros, sizes),
                    ..premiss_rust::Options::default()
                };
                only(|each| {
                    let files = [(file, options)];
                    let none = MemoryFiles::new();
                    premiss_rust::read_linked(&mut sources, &files, &none, each);
                })
            }
        };
        unit.functions
            .iter_mut()
            .for_each(NestTree::widen_to_bounding_ranges);
        Self { sources, unit }
    }

    /// The tree of a function.
    #[must_use]
    pub fn tree(&self, function: &str) -> &NestTree {
        let tree = self
            .unit
            .functions
            .iter()
            .find(|tree| tree.function == function);
        tree.unwrap_or_else(|| panic!("no function {function}: {:#?}", self.unit.diagnostics))
    }

    /// The tree of the function that the file is named after, or else of the last one, which calls the
    /// others.
    #[must_use]
    pub fn main_tree(&self, path: &str) -> Option<&NestTree> {
        let stem = std::path::Path::new(path).file_stem()?.to_str()?;
        let mut trees = self.unit.functions.iter();
        let named = trees.find(|tree| tree.function.eq_ignore_ascii_case(stem));
        named.or(self.unit.functions.last())
    }

    /// The only tree.
    #[must_use]
    pub fn only_tree(&self) -> &NestTree {
        match &self.unit.functions[..] {
            [tree] => tree,
            trees => {
                let names: Vec<_> = trees.iter().map(|tree| &tree.function).collect();
                panic!("functions {names:?}, {:#?}", self.unit.diagnostics)
            }
        }
    }

    /// What was said about the file.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.unit.diagnostics
    }
}

fn read_c(
    sources: &mut SourceMap,
    file: FileId,
    macros: &[(&str, i64)],
    sizes: &[(&str, i64)],
) -> TranslationUnit {
    let define = |(name, value): &(&str, i64)| MacroFlag::Define {
        name: (*name).to_owned(),
        value: value.to_string(),
    };
    let options = Options {
        macros: macros.iter().map(define).collect(),
        sizes: Language::C.sizes(&[], sizes),
        ..Options::default()
    };
    read(sources, file, &options, &MemoryFiles::new())
}

/// The unit of the only file that is read.
fn only(
    read: impl FnOnce(&mut dyn FnMut(&SourceMap, FileOutcome<TranslationUnit>)),
) -> TranslationUnit {
    let mut units = Vec::new();
    read(&mut |_, outcome| units.extend(outcome.into_read()));
    assert_eq!(units.len(), 1, "a unit for each file");
    units.remove(0)
}
