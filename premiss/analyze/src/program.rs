//! A file, read.

use crate::measure::sort_by_place;
use premiss_c::Options as ReadOptions;
use premiss_source::{Diagnostic, FileId, Label, Severity, SourceMap, Span};
use premiss_tree::{NestTree, Rejection};
use std::collections::{BTreeMap, BTreeSet};

/// The functions of files that have loop nests.
#[derive(Debug, Default)]
pub struct Program {
    /// One tree a function, in the order of the source.
    pub functions: Vec<NestTree>,
    /// What there is to say about the text, rejections included.
    pub diagnostics: Vec<Diagnostic>,
    /// Sizes that were given a value, and that something in the file uses, with it.
    pub used_sizes: BTreeMap<String, i64>,
    /// Sizes that were given a value or kept symbolic and that nothing in the file uses.
    pub unused_sizes: Vec<String>,
    /// The sizes that can be given a value.
    pub size_names: BTreeSet<String>,
}

/// Reads a C file and what it includes; `load` returns the bytes of the file of a path, where there
/// is one.
pub fn read(
    sources: &mut SourceMap,
    file: FileId,
    options: &ReadOptions,
    load: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> Program {
    let unit = premiss_c::read(sources, file, options, load);
    program(unit, options)
}

/// Reads C files that make one program, each with its own options: calls from one to another are
/// followed, and what one declares `extern` is what another defines. `each` gets a program for each
/// file, in order.
pub fn read_linked(
    sources: &mut SourceMap,
    files: &[(FileId, ReadOptions)],
    load: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    each: &mut dyn FnMut(FileId, Program),
) {
    let mut rest = files.iter();
    premiss_c::read_linked(sources, files, load, &mut |unit| {
        if let Some((file, options)) = rest.next() {
            each(*file, program(unit, options));
        }
    });
}

fn program(unit: premiss_c::TranslationUnit, options: &ReadOptions) -> Program {
    let sizes = options.sizes.clone().into_iter();
    let (used, unused): (BTreeMap<_, _>, BTreeMap<_, _>) =
        sizes.partition(|(name, _)| unit.used_sizes.contains(name));
    let symbolic = options.symbolic.iter();
    let unused_symbolic: Vec<String> = symbolic
        .filter(|name| {
            let mut sizes = unit
                .functions
                .iter()
                .flat_map(|tree| tree.parameters.values());
            !unit.used_sizes.contains(*name) && sizes.all(|size| size.name != **name)
        })
        .cloned()
        .collect();
    let mut diagnostics = unit.diagnostics;
    add_rejections(&unit.functions, &mut diagnostics);
    sort_by_place(&mut diagnostics);
    Program {
        functions: unit.functions,
        diagnostics,
        used_sizes: used,
        unused_sizes: unused.into_keys().chain(unused_symbolic).collect(),
        size_names: unit.size_names.into_iter().collect(),
    }
}

/// Adds what was not understood, each place once: a function that several others call is rejected
/// in each of them.
fn add_rejections(functions: &[NestTree], diagnostics: &mut Vec<Diagnostic>) {
    let mut known: BTreeSet<_> = diagnostics.iter().map(place).collect();
    for rejection in functions.iter().flat_map(|tree| tree.rejections.values()) {
        let diagnostic = describe(rejection);
        if known.insert(place(&diagnostic)) {
            diagnostics.push(diagnostic);
        }
    }
}

fn describe(rejection: &Rejection) -> Diagnostic {
    Diagnostic {
        code: rejection.reason.code(),
        severity: Severity::Warning,
        message: rejection.reason.message(),
        labels: vec![Label {
            span: rejection.span,
            text: String::new(),
        }],
        help: Some(rejection.reason.help().to_owned()),
    }
}

/// What a diagnostic is known by.
fn place(diagnostic: &Diagnostic) -> (&'static str, Option<Span>) {
    let span = diagnostic.labels.first().map(|label| label.span);
    (diagnostic.code, span)
}

impl Program {
    /// Keeps the functions of that name, and of the diagnostics all but those of what was not
    /// understood in the others. Whether there was one.
    pub fn keep(&mut self, function: &str) -> bool {
        let (kept, dropped): (Vec<_>, Vec<_>) = std::mem::take(&mut self.functions)
            .into_iter()
            .partition(|tree| tree.function == function);
        let places = |trees: &[NestTree]| -> BTreeSet<_> {
            let rejections = trees.iter().flat_map(|tree| tree.rejections.values());
            rejections
                .map(|x| (x.reason.code(), Some(x.span)))
                .collect()
        };
        let (of_kept, of_dropped) = (places(&kept), places(&dropped));
        self.diagnostics.retain(|diagnostic| {
            let place = place(diagnostic);
            of_kept.contains(&place) || !of_dropped.contains(&place)
        });
        self.functions = kept;
        !self.functions.is_empty()
    }
}
