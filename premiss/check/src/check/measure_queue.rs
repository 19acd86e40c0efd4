//! Files that have been read and wait to be counted, as the share of the budget that each function has depends on all.
//!
//! ```text
//! read ──quick──────────────▶ counted at once
//!      └─others─▶ pending ──▶ counted when all files are read: the share is known then
//! ```

use super::analyze_file::FileResult;
use crate::file_report::FileReport;
use crate::host::Host;
use premiss_analyze::{
    BudgetScope, FunctionAnalysis, MeasureOptions, Program, expected_steps, halvings, is_quick,
    measure_each, parallel,
};
use premiss_gate::{findings, wants_operations};
use premiss_source::SourceMap;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many files are counted at a time while others are read: they have little to count.
const FILES_TOGETHER: usize = 32;

/// What the functions of a file took of the budget of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct BudgetUse {
    /// How many steps each was expected to take, where functions share a budget.
    pub(super) expected: Vec<u64>,
    /// How often the budget was halved for them; `None` where any share would give the same.
    pub(super) halvings: Option<u32>,
}

/// Files with their results, some of which still have to be counted.
pub(super) struct MeasureQueue<'a> {
    measuring: &'a MeasureOptions,
    /// In the order of the files; `None` for those that are pending.
    results: Vec<Option<FileResult>>,
    /// Files that have been read, with their indices in the results.
    read: Vec<(usize, FileReport, Program)>,
    /// Those of them that wait for the share.
    pending: Vec<PendingFile>,
    /// The expected steps of functions in files of other shards.
    elsewhere: Vec<u64>,
}

/// A file whose functions share the budget of the run.
struct PendingFile {
    idx: usize,
    report: FileReport,
    program: Program,
    expected: Vec<u64>,
}

impl<'a> MeasureQueue<'a> {
    pub(super) fn new(measuring: &'a MeasureOptions) -> Self {
        Self {
            measuring,
            results: Vec::new(),
            read: Vec::new(),
            pending: Vec::new(),
            elsewhere: Vec::new(),
        }
    }

    /// The number of files so far.
    pub(super) fn n_files(&self) -> usize {
        self.results.len()
    }

    /// Adds a file that was read.
    pub(super) fn push(&mut self, report: FileReport, program: Program) {
        self.read.push((self.results.len(), report, program));
        self.results.push(None);
    }

    /// Adds a file whose result of an earlier run may hold.
    pub(super) fn reuse(&mut self, result: Option<FileResult>) {
        self.results.push(result);
    }

    /// Heeds a file that another shard counts.
    pub(super) fn weigh(&mut self, program: &Program) {
        self.elsewhere.extend(expected(program, self.measuring));
    }

    /// Counts files that need not wait, on all processors: as soon as there are some, or if no more are read.
    pub(super) fn measure_some(&mut self, sources: &SourceMap, is_last: bool) {
        if self.read.len() < FILES_TOGETHER && !is_last {
            return;
        }
        let read = std::mem::take(&mut self.read);
        let measured = parallel::map(read, |(idx, report, program)| {
            let expected = expected(&program, self.measuring);
            if !expected
                .iter()
                .all(|steps| is_quick(*steps, self.measuring))
                && self.measuring.budget_scope == BudgetScope::Run
            {
                return Err(Box::new(PendingFile {
                    idx,
                    report,
                    program,
                    expected,
                }));
            }
            let budget = BudgetUse {
                expected,
                halvings: None,
            };
            let counted = (report, program, budget);
            let options = self.measuring.with_own_budget();
            Ok((idx, count_file(counted, sources, &options, &|_| ())))
        });
        for file in measured {
            match file {
                Ok((idx, result)) => self.results[idx] = Some(result),
                Err(file) => self.pending.push(*file),
            }
        }
    }

    /// Counts what is left, and returns the results of all files; `None` if some of an earlier run hold no longer, as
    /// they were counted with another share.
    pub(super) fn finish(
        mut self,
        sources: &SourceMap,
        host: &dyn Host,
    ) -> Option<Vec<FileResult>> {
        self.measure_some(sources, true);
        let halvings = self.halvings();
        let uses = self.results.iter().flatten().map(|x| x.budget.halvings);
        if uses.flatten().any(|of_result| of_result != halvings) {
            return None;
        }
        let options = self.measuring.with_share(halvings);
        let functions = self.pending.iter().map(|file| file.program.functions.len());
        let progress = host.progress("counting", "functions", functions.sum());
        let n_counted = AtomicUsize::new(0);
        let is_done = |function: &FunctionAnalysis| {
            let n_counted = 1 + n_counted.fetch_add(1, Ordering::Relaxed);
            let path = sources.file(function.tree.span.file).path();
            progress.advance(n_counted, "counting", path);
        };
        let counted = parallel::map(self.pending, |file| {
            let budget = BudgetUse {
                expected: file.expected,
                halvings: Some(halvings),
            };
            let pending = (file.report, file.program, budget);
            (file.idx, count_file(pending, sources, &options, &is_done))
        });
        for (idx, result) in counted {
            self.results[idx] = Some(result);
        }
        Some(self.results.into_iter().flatten().collect())
    }

    /// How often the budget is halved for the functions of all files.
    fn halvings(&self) -> u32 {
        let known = self.results.iter().flatten();
        let known = known.flat_map(|result| &result.budget.expected);
        let pending = self.pending.iter().flat_map(|file| &file.expected);
        let all = known.chain(pending).chain(&self.elsewhere);
        halvings(&all.copied().collect::<Vec<_>>(), self.measuring.budget)
    }
}

/// The steps that each function is expected to take; none where each has a budget of its own.
fn expected(program: &Program, measuring: &MeasureOptions) -> Vec<u64> {
    let trees = program.functions.iter();
    match measuring.budget_scope {
        BudgetScope::Run => trees.map(|tree| expected_steps(tree, measuring)).collect(),
        BudgetScope::Function | BudgetScope::Share(_) => Vec::new(),
    }
}

/// Counts the accesses of a file, and applies the rules.
fn count_file(
    (mut report, mut program, budget): (FileReport, Program, BudgetUse),
    sources: &SourceMap,
    measuring: &MeasureOptions,
    is_done: &(dyn Fn(&FunctionAnalysis) + Sync),
) -> FileResult {
    report.diagnostics = std::mem::take(&mut program.diagnostics);
    let broken = program.broken_bounds();
    let analysis = measure_each(program, measuring, is_done);
    report.profile.add(sources, &analysis);
    report.findings = findings(&analysis, measuring);
    FileResult {
        needs_operations: wants_operations(&analysis, measuring),
        report,
        broken,
        uncounted: analysis.diagnostics,
        budget,
    }
}
