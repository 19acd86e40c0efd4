//! The results of files: read as one program, counted function by function, and checked by the rules.
//!
//! With the results of an earlier run, only files that changed are analyzed.

use super::file_texts::FileTexts;
use super::include_deps::CurrentIncludes;
use super::measure_queue::{BudgetUse, MeasureQueue};
use crate::error::CheckError;
use crate::file_report::{FileReport, ProgramReport, merge_reports};
use crate::host::Host;
use crate::open::{OpenedFiles, ReportedDiagnostics, read_opened};
use crate::profiles::Profiles;
use crate::validate::check_bases;
use premiss_analyze::{
    FileOutcome, IncrementalCache, MeasureOptions, ProgramRecord, ReadOptions, parallel,
};
use premiss_gate::{Finding, suppress};
use premiss_report::{CallgrindProfile, CoverageReport};
use premiss_source::{Diagnostic, FileId, Files, SourceFile, SourceMap, marks};
use std::collections::{BTreeMap, BTreeSet};

/// The first word of directives that state averages.
const ASSUME: &[u8] = b"assume";

/// The results of a check, independent of output forms.
#[derive(Debug, PartialEq)]
pub(super) struct CheckResult {
    pub(super) report: CoverageReport,
    /// Sorted by bytes, most first.
    pub(super) findings: Vec<Finding>,
    /// What could not be understood or counted, and comments that suppress nothing.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The number of findings that comments suppress.
    pub(super) silenced: usize,
    /// The counts of every line.
    pub(super) profile: CallgrindProfile,
}

/// The results of one file, independent of results of others.
#[derive(Debug)]
pub(super) struct FileResult {
    /// Whether some rule needs operations to decide.
    pub(super) needs_operations: bool,
    /// Its nests, findings and counts, and the diagnostics of its text and of texts that it includes.
    pub(super) report: FileReport,
    /// Assumptions on its sizes that do not hold.
    pub(super) broken: Vec<Diagnostic>,
    /// Why parts of it could not be counted.
    pub(super) uncounted: Vec<Diagnostic>,
    /// What it took of the budget of the run.
    pub(super) budget: BudgetUse,
}

/// How files are analyzed.
#[derive(Clone, Copy)]
pub(super) struct AnalysisOptions<'a> {
    pub(super) measuring: &'a MeasureOptions,
    pub(super) profile: &'a Profiles,
    /// The files whose loops are counted: all, or those of a shard. Others are read because they may be called.
    pub(super) shard: Option<&'a BTreeSet<FileId>>,
    pub(super) host: &'a dyn Host,
}

/// The results of an earlier run over the same files.
pub(super) struct PreviousResults {
    programs: Vec<ProgramRecord>,
    /// The current digest of the meaning of each file.
    meanings: Vec<u64>,
    /// The numbers of the files whose meaning changed.
    changed: BTreeSet<u32>,
    /// The numbers of the files without any change.
    untouched: BTreeSet<u32>,
    /// The current state of the files that they include.
    includes: CurrentIncludes,
    /// The results of files, by their numbers.
    results: BTreeMap<u32, FileResult>,
    /// The files without a result.
    missing: BTreeSet<u32>,
}

impl PreviousResults {
    pub(super) fn new(
        texts: &FileTexts,
        includes: CurrentIncludes,
        opened: &OpenedFiles,
        programs: Vec<ProgramRecord>,
        results: BTreeMap<u32, FileResult>,
    ) -> Self {
        let files = opened.files.iter().map(|(file, _)| file.as_u32());
        Self {
            programs,
            meanings: texts.meanings(),
            changed: texts.changed().clone(),
            untouched: texts.untouched().clone(),
            includes,
            missing: files.filter(|file| !results.contains_key(file)).collect(),
            results,
        }
    }

    /// The same files, all of which are to be analyzed.
    fn without_results(&self) -> Self {
        let with_results = self.results.keys();
        Self {
            programs: Vec::new(),
            meanings: self.meanings.clone(),
            changed: self.changed.clone(),
            untouched: self.untouched.clone(),
            includes: self.includes.clone(),
            missing: self.missing.iter().chain(with_results).copied().collect(),
            results: BTreeMap::new(),
        }
    }
}

/// The results of a run, and the records that it leaves for later runs.
#[derive(Default)]
pub(super) struct AnalyzedFiles {
    /// Empty if nothing can be recorded.
    pub(super) programs: Vec<ProgramRecord>,
    pub(super) results: Vec<FileResult>,
    /// The numbers of the files whose results were reused from the earlier run.
    pub(super) reused: BTreeSet<u32>,
}

/// Analyzes open files, except those whose results can be reused from an earlier run. Without results of an earlier
/// run, nothing is recorded for a later one.
///
/// # Errors
///
/// An option names a size or an array that does not exist, or a profile is of other files.
pub(super) fn analyze_files(
    sources: &mut SourceMap,
    opened: &OpenedFiles,
    options: AnalysisOptions<'_>,
    previous: Option<PreviousResults>,
    included: &dyn Files,
) -> Result<AnalyzedFiles, CheckError> {
    let needs_operations = |sources: &SourceMap| {
        let files: Vec<&SourceFile> = sources.files().map(|(_, file)| file).collect();
        let assuming = || parallel::map(&files, |file| assumes(file.text()));
        !options.profile.is_empty() || assuming().contains(&true)
    };
    // Operations are needed where averages are stated for data, and where only variables may keep a rule from
    // reporting. Which files are included is known only after reading.
    if !needs_operations(sources) {
        let opened = &without_operations(opened);
        let afresh = previous.as_ref().map(PreviousResults::without_results);
        let mut analyzed = analyze_opened(sources, opened, options, previous, included)?;
        // The share of the budget is another one than that of the earlier run.
        if analyzed.is_none() {
            sources.truncate(opened.files.len());
            analyzed = analyze_opened(sources, opened, options, afresh, included)?;
        }
        let analyzed = analyzed.unwrap_or_default();
        let is_open = analyzed
            .results
            .iter()
            .any(|result| result.needs_operations);
        if !is_open && !needs_operations(sources) {
            return Ok(analyzed);
        }
        // The files that they include are read again.
        sources.truncate(opened.files.len());
    }
    let analyzed = analyze_opened(sources, opened, options, None, included)?;
    Ok(analyzed.unwrap_or_default())
}

/// Whether a comment of a text may state averages.
fn assumes(text: &str) -> bool {
    let is_assumption = |behind: &str| {
        let word = behind.trim_start().as_bytes().get(..ASSUME.len());
        word.is_some_and(|word| word.eq_ignore_ascii_case(ASSUME))
    };
    marks(text).any(is_assumption)
}

fn without_operations(opened: &OpenedFiles) -> OpenedFiles {
    let without = |options: &ReadOptions| ReadOptions {
        without_operations: true,
        ..options.clone()
    };
    let files = opened.files.iter();
    OpenedFiles {
        files: files
            .map(|(file, options)| (*file, without(options)))
            .collect(),
        skipped: Vec::new(),
        options: without(&opened.options),
    }
}

/// The results of open files; `None` if results of the earlier run were counted with another share of the budget.
fn analyze_opened(
    sources: &mut SourceMap,
    opened: &OpenedFiles,
    options: AnalysisOptions<'_>,
    previous: Option<PreviousResults>,
    included: &dyn Files,
) -> Result<Option<AnalyzedFiles>, CheckError> {
    let (cache, mut previous) = match previous {
        Some(previous) => {
            let mut cache =
                IncrementalCache::new(previous.meanings, previous.programs, previous.missing)
                    .with_identical_texts(previous.untouched);
            let CurrentIncludes {
                texts,
                changed,
                nearby,
            } = previous.includes;
            if nearby.is_some() {
                cache = cache.with_included_texts(previous.changed, texts, changed);
            }
            (Some(cache), previous.results)
        }
        None => (None, BTreeMap::new()),
    };
    let mut queue = MeasureQueue::new(options.measuring);
    let mut reused = BTreeSet::new();
    let n_files = options.shard.map_or(opened.files.len(), BTreeSet::len);
    let progress = options.host.progress("reading", "files", n_files);
    read_opened(
        sources,
        opened,
        cache.as_ref(),
        included,
        &mut |sources, (file, files), outcome| {
            let is_counted = options.shard.is_none_or(|part| part.contains(&file));
            if is_counted {
                progress.advance(queue.n_files(), "reading", sources.file(file).path());
            }
            match outcome {
                FileOutcome::Read(program) if !is_counted => queue.weigh(&program),
                FileOutcome::Reused(_) => {
                    queue.reuse(previous.remove(&file.as_u32()));
                    reused.insert(file.as_u32());
                }
                FileOutcome::Read(mut program) => {
                    if files.len() == 1 {
                        check_bases(&program.functions, options.measuring)?;
                    }
                    options.profile.apply(sources, files, &mut program)?;
                    let report = FileReport::new(file, &mut program);
                    queue.push(report, program);
                }
            }
            queue.measure_some(sources, queue.n_files() == n_files);
            Ok(())
        },
    )?;
    drop(progress);
    let Some(results) = queue.finish(sources, options.host) else {
        return Ok(None);
    };
    Ok(Some(AnalyzedFiles {
        programs: cache.map_or_else(Vec::new, IncrementalCache::into_records),
        results,
        reused,
    }))
}

/// Merges the results of files: reports each diagnostic once, ranks findings, and removes those that comments suppress.
/// `mains` are the requested files.
pub(super) fn merge_results(
    sources: &SourceMap,
    mains: &BTreeSet<FileId>,
    results: Vec<FileResult>,
) -> CheckResult {
    let analyzed: BTreeSet<FileId> = results.iter().map(|result| result.report.file).collect();
    let mut reported = ReportedDiagnostics::default();
    let reports = results.into_iter().map(|result| {
        let mut report = result.report;
        reported.retain_new(&mut report.diagnostics);
        report.diagnostics.extend(result.uncounted);
        report
            .diagnostics
            .sort_by_key(|x| x.labels.first().map(|label| label.span));
        report.diagnostics.splice(0..0, result.broken);
        report
    });
    let ProgramReport {
        report,
        mut findings,
        diagnostics,
        profile,
    } = merge_reports(sources, mains, reports.collect());
    // Findings with most bytes come first, then what could not be understood.
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.bytes));
    // Comments in a header apply if something was found in it.
    let spans = findings.iter().filter_map(Finding::span);
    let files: BTreeSet<_> = analyzed
        .into_iter()
        .chain(spans.map(|span| span.file))
        .collect();
    let suppressed = suppress(sources, &files, findings);
    CheckResult {
        report,
        findings: suppressed.findings,
        diagnostics: suppressed
            .diagnostics
            .into_iter()
            .chain(diagnostics)
            .collect(),
        silenced: suppressed.silenced,
        profile,
    }
}
