//! The program of a file: its functions as trees, and the diagnostics on its text.

use crate::coverage::{LoopCoverage, loop_coverage};
use crate::read_options::ReadOptions;
use premiss_incremental::TranslationUnit;
use premiss_profile::{Directives, ProgramSizes};
use premiss_source::{Diagnostic, FileId, Label, Severity, SourceMap, Span};
use premiss_tree::{Assumption, NestTree, Rejection};
use std::collections::{BTreeMap, BTreeSet};

/// The functions with loop nests of one file, or of all files that were read together.
#[derive(Debug, Default)]
pub struct Program {
    /// One tree for each function, in the order of the source.
    pub functions: Vec<NestTree>,
    /// The diagnostics of the front end, rejections included, in the order of the source.
    pub diagnostics: Vec<Diagnostic>,
    /// The sizes given in the [`ReadOptions`] that something in the file uses, with their values.
    pub used_sizes: BTreeMap<String, i64>,
    /// Names of sizes that the options gave a value or kept symbolic and that nothing in the file uses.
    pub unused_sizes: Vec<String>,
    /// The names of all sizes that can be given a value.
    pub size_names: BTreeSet<String>,
    /// The symbolic sizes that decide which lines the preprocessor keeps, as in `#if N > 10`.
    pub sizes_in_conditions: BTreeSet<String>,
    /// The array nests of each function, one entry for each; conditions on real numbers that keep their value count as
    /// known here.
    pub coverage: Vec<LoopCoverage>,
    /// What its trees rest on beyond the text, such as [`ReadOptions::dense`].
    pub assumptions: BTreeSet<Assumption>,
    /// The name of the profile that its averages come from, if any.
    pub profile: Option<String>,
    /// The places of `premiss:assume` comments that state averages, as `k.c:12`.
    pub assumed_at: Vec<String>,
}

impl Program {
    /// The program of a file, from the translation unit of its front end.
    pub(crate) fn of_unit(
        sources: &SourceMap,
        file: FileId,
        unit: TranslationUnit,
        options: &ReadOptions,
    ) -> Self {
        let sizes = options.sizes.clone().into_iter();
        let (used, unused): (BTreeMap<_, _>, BTreeMap<_, _>) =
            sizes.partition(|(name, _)| unit.used_sizes.contains(name));
        let unused_symbolic = unused_symbolic(&unit, options);
        let mut diagnostics = unit.diagnostics;
        let files = files_of(file, &unit.functions);
        let mut directives = Directives::collect(sources, &files, &mut diagnostics);
        let mut functions = unit.functions;
        for tree in &mut functions {
            let understood = directives.bound_trips(tree);
            let is_about = |x: &Diagnostic| x.labels.iter().any(|y| understood.contains(&y.span));
            diagnostics.retain(|x| x.code != "uncounted-loop" || !is_about(x));
        }
        add_rejections(&functions, &mut diagnostics);
        let size_names = unit.size_names;
        let coverage = functions.iter().map(loop_coverage).collect();
        let sizes = ProgramSizes {
            names: &size_names,
            values: &used,
        };
        let functions = functions.into_iter().map(bounded).collect();
        let (functions, assumed_at) = assume(directives, functions, sizes, &mut diagnostics);
        sort_by_place(&mut diagnostics);
        let assumed = functions.iter().flat_map(|tree| &tree.assumptions);
        let assumptions = assumed.cloned().collect();
        Self {
            functions,
            coverage,
            assumptions,
            profile: None,
            assumed_at,
            diagnostics,
            used_sizes: used,
            unused_sizes: unused.into_keys().chain(unused_symbolic).collect(),
            size_names,
            sizes_in_conditions: unit.sizes_in_conditions,
        }
    }

    /// One error for each function with an assumption on sizes that its given sizes violate.
    #[must_use]
    pub fn broken_bounds(&self) -> Vec<Diagnostic> {
        let of_one = |tree: &NestTree| {
            let bound = tree.violated_bound(|_| None)?;
            Some(Diagnostic {
                code: "broken-assumption",
                severity: Severity::Error,
                message: format!(
                    "`{}` does not hold at the sizes that `{}` is counted for",
                    bound.text, tree.function
                ),
                labels: vec![Label {
                    span: bound.span,
                    text: String::new(),
                }],
                help: Some("choose other sizes with -P, or change the line".to_owned()),
                sizes: Vec::new(),
            })
        };
        self.functions.iter().filter_map(of_one).collect()
    }

    /// Keeps only the functions of this name. Drops the diagnostics of rejections that are in no kept function. Returns
    /// whether any function is left.
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

/// The sizes that the options keep symbolic and that the unit does not have.
fn unused_symbolic(unit: &TranslationUnit, options: &ReadOptions) -> Vec<String> {
    let is_unused = |name: &&String| {
        let trees = unit.functions.iter();
        let mut sizes = trees.flat_map(|tree| tree.parameters.values());
        !unit.used_sizes.contains(*name) && sizes.all(|size| size.name != **name)
    };
    options.symbolic.iter().filter(is_unused).cloned().collect()
}

/// The tree with unknown predicates turned into data, and uncounted loops widened to their bounding ranges.
fn bounded(mut tree: NestTree) -> NestTree {
    tree.predicates_to_data();
    tree.widen_to_bounding_ranges();
    tree
}

/// The functions with the assumptions of their `premiss:assume` comments, and the places that state averages; adds the
/// diagnostics of the comments.
fn assume(
    mut directives: Directives<'_>,
    functions: Vec<NestTree>,
    sizes: ProgramSizes<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<NestTree>, Vec<String>) {
    let mut assumed = functions;
    for tree in &mut assumed {
        directives.apply(tree, sizes);
    }
    let has_work = assumed.iter().any(|tree| !tree.work.body.is_empty());
    diagnostics.extend(directives.unused(has_work || assumed.is_empty()));
    (assumed, directives.estimates())
}

/// The files that functions and their loops are in.
fn files_of(file: FileId, functions: &[NestTree]) -> BTreeSet<FileId> {
    let mut files = BTreeSet::from([file]);
    for tree in functions {
        files.insert(tree.span.file);
        files.extend(tree.loops.values().map(|x| x.span.file));
    }
    files
}

/// Adds the rejections, each place once: a function that several others call is rejected in each of them.
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
        sizes: Vec::new(),
    }
}

/// What identifies a diagnostic.
fn place(diagnostic: &Diagnostic) -> (&'static str, Option<Span>) {
    let span = diagnostic.labels.first().map(|label| label.span);
    (diagnostic.code, span)
}

/// Sorts diagnostics: those without a place first, then in the order of the source.
pub(crate) fn sort_by_place(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by_key(|x| x.labels.first().map(|label| label.span));
}
