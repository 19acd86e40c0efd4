//! A comparison of two programs: its verdict, and its output forms.

use super::program::{DiffProgram, UnparsedTexts};
use super::request::DiffRequest;
use super::saved_base;
use crate::output_form::OutputForm;
use crate::repository::Repository;
use premiss_analyze::{Analysis, MeasureOptions, SymbolicOptions};
use premiss_gate::formats::{self, Conditions, Results};
use premiss_gate::{
    ComparedProgram, Delta, Kernel, Pair, SavedBase, Verdict, delta_json, delta_markdown,
    delta_text, kernels,
};
use premiss_report::{Colour, coverage_summary, render_diagnostics};

/// Two programs with their counts, compared.
pub struct Comparison<'a> {
    pub(super) request: DiffRequest<'a>,
    pub(super) delta: Delta,
    pub(super) pairs: Vec<Pair>,
    pub(super) saved: Option<SavedBase>,
    pub(super) unparsed: UnparsedTexts,
    /// The programs, read and counted.
    pub(super) base: (DiffProgram, Analysis),
    pub(super) head: (DiffProgram, Analysis),
    /// The nests of the base and of the head.
    pub(super) kernels: (Vec<Kernel>, Vec<Kernel>),
}

/// A comparison, to be rendered in output forms.
pub struct DiffReport<'c> {
    comparison: &'c Comparison<'c>,
    repository: Repository,
    results: Results,
}

impl Comparison<'_> {
    /// The worst verdict of all nests; at least [`Verdict::Undecided`] where text of one side could not be parsed.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.delta.verdict()
    }

    /// The rendered diagnostics of the head, which explain what is unknown.
    #[must_use]
    pub fn diagnostics(&self, colour: Colour) -> String {
        let (head, after) = &self.head;
        render_diagnostics(&head.sources, &after.diagnostics, colour)
    }

    /// The report for all output forms but the page.
    #[must_use]
    pub fn report(&self) -> DiffReport<'_> {
        let (head, after) = &self.head;
        let repository = Repository::enclosing(self.request.host.current_dir());
        let conditions = Conditions {
            machine: after.machine.name().to_owned(),
            machine_id: after.machine.id(),
            coverage: coverage(after).trim_end().to_owned(),
            held_back: None,
        };
        let path_of = |path: &str| repository.path_of(path);
        let results = Results::of_delta(&head.sources, &path_of, &self.delta, conditions);
        DiffReport {
            comparison: self,
            repository,
            results,
        }
    }

    /// The content of a saved base: the head with its counts, for later comparisons.
    #[must_use]
    pub fn saved_base(&self) -> String {
        let (head, after) = &self.head;
        let side = side(head, after, &self.kernels.1);
        saved_base::to_json(&self.request, side, self.unparsed.clone())
    }
}

impl DiffReport<'_> {
    /// The comparison in an output form; `None` for [`OutputForm::Callgrind`] and [`OutputForm::Html`].
    #[must_use]
    pub fn render(&self, form: OutputForm) -> Option<String> {
        let Self {
            comparison,
            results,
            ..
        } = self;
        let (delta, after) = (&comparison.delta, &comparison.head.1);
        let (base, head) = (
            comparison.base.0.name.as_str(),
            comparison.head.0.name.as_str(),
        );
        let machine = after.machine.name();
        Some(match form {
            OutputForm::Json => delta_json(delta, base, head, machine),
            OutputForm::Text => delta_text(delta, base, head, machine) + &coverage(after),
            OutputForm::Sarif => formats::sarif(results),
            OutputForm::Github => formats::github(results),
            OutputForm::Gitlab => formats::gitlab(results),
            OutputForm::Junit => formats::junit(results),
            OutputForm::Markdown => self.markdown(),
            OutputForm::Callgrind | OutputForm::Html => return None,
        })
    }

    /// The comparison in Markdown, for a comment on a change.
    #[must_use]
    pub fn markdown(&self) -> String {
        let comparison = self.comparison;
        let names = (
            comparison.base.0.name.as_str(),
            comparison.head.0.name.as_str(),
        );
        let path_of = |path: &str| self.repository.path_of(path);
        let subtitle = subtitle(&comparison.head.1);
        delta_markdown(&comparison.delta, names, &path_of, &subtitle)
    }

    /// The number of results that GitHub does not show as annotations.
    #[must_use]
    pub fn without_annotation(&self) -> usize {
        formats::without_annotation(&self.results)
    }
}

/// The coverage and the machine, as a line.
pub(super) fn subtitle(after: &Analysis) -> String {
    format!("{} · {}", coverage(after).trim_end(), after.machine.id())
}

fn coverage(after: &Analysis) -> String {
    let nests = after.functions.iter().flat_map(|x| x.nests.iter().cloned());
    coverage_summary(&nests.collect::<Vec<_>>())
}

/// The options for comparing closed forms where sizes have no values.
pub(super) fn symbolic(measuring: &MeasureOptions) -> SymbolicOptions<'_> {
    SymbolicOptions {
        line_size: 64,
        alignment: measuring.alignment(),
        bound: None,
        effort: measuring.effort,
        store: measuring.store.as_deref(),
    }
}

/// The nests of a program.
pub(super) fn kernels_of(program: &DiffProgram) -> Vec<Kernel> {
    let trees = program.program.functions.iter();
    kernels(trees, &program.sources, |tree| program.key(tree.span.file))
}

/// A program in the form that the gate compares.
pub(super) fn side<'a>(
    program: &'a DiffProgram,
    analysis: &'a Analysis,
    kernels: &'a [Kernel],
) -> ComparedProgram<'a> {
    ComparedProgram {
        sources: &program.sources,
        functions: &analysis.functions,
        kernels,
        saved: None,
    }
}
