//! The results of files: read as one program, counted function by function, and checked by the rules.
//!
//! With the results of an earlier run, only files that changed are analyzed.

use super::file_texts::FileTexts;
use super::include_deps::CurrentIncludes;
use crate::error::CheckError;
use crate::file_report::{FileReport, ProgramReport, merge_reports};
use crate::host::Host;
use crate::open::{OpenedFiles, ReportedDiagnostics, read_opened};
use crate::profiles::Profiles;
use crate::validate::check_bases;
use premiss_analyze::{
    FileOutcome, IncrementalCache, MeasureOptions, Program, ProgramRecord, ReadOptions, measure,
    parallel,
};
use premiss_gate::{Finding, findings, suppress, wants_operations};
use premiss_report::{CallgrindProfile, CoverageReport};
use premiss_source::{Diagnostic, FileId, Files, SourceFile, SourceMap, marks};
use std::collections::{BTreeMap, BTreeSet};

/// The first word of directives that state averages.
const ASSUME: &[u8] = b"assume";

/// How many files are counted at a time: most have little to count.
const FILES_TOGETHER: usize = 32;

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
}

/// The results of a run, and the records that it leaves for later runs.
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
        let analyzed = analyze_opened(sources, opened, options, previous, included)?;
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
    analyze_opened(sources, opened, options, None, included)
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

/// The results of open files.
fn analyze_opened(
    sources: &mut SourceMap,
    opened: &OpenedFiles,
    options: AnalysisOptions<'_>,
    previous: Option<PreviousResults>,
    included: &dyn Files,
) -> Result<AnalyzedFiles, CheckError> {
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
    let mut queue = MeasureQueue {
        measuring: options.measuring,
        results: Vec::new(),
        pending: Vec::new(),
    };
    let mut reused = BTreeSet::new();
    let n_files = options.shard.map_or(opened.files.len(), BTreeSet::len);
    let progress = options.host.progress("reading", n_files);
    read_opened(
        sources,
        opened,
        cache.as_ref(),
        included,
        &mut |sources, (file, files), outcome| {
            if options.shard.is_some_and(|part| !part.contains(&file)) {
                return Ok(());
            }
            progress.advance(queue.results.len(), "counting", sources.file(file).path());
            match outcome {
                FileOutcome::Reused(_) => {
                    queue.results.push(previous.remove(&file.as_u32()));
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
            // The last files are counted while the memory of reading is freed.
            if queue.pending.len() == FILES_TOGETHER || queue.results.len() == n_files {
                queue.measure(sources);
            }
            Ok(())
        },
    )?;
    queue.measure(sources);
    Ok(AnalyzedFiles {
        programs: cache.map_or_else(Vec::new, IncrementalCache::into_records),
        results: queue.results.into_iter().flatten().collect(),
        reused,
    })
}

/// Files with their results, some of which still have to be measured.
struct MeasureQueue<'a> {
    measuring: &'a MeasureOptions,
    /// In the order of the files; `None` for those that are pending.
    results: Vec<Option<FileResult>>,
    /// Files to measure, with their indices in the results.
    pending: Vec<(usize, FileReport, Program)>,
}

impl MeasureQueue<'_> {
    fn push(&mut self, report: FileReport, program: Program) {
        self.pending.push((self.results.len(), report, program));
        self.results.push(None);
    }

    /// Measures the pending files on all processors.
    fn measure(&mut self, sources: &SourceMap) {
        let pending = std::mem::take(&mut self.pending);
        let results = parallel::map(pending, |(idx, report, program)| {
            (idx, analyze_file(report, sources, program, self.measuring))
        });
        for (idx, result) in results {
            self.results[idx] = Some(result);
        }
    }
}

/// Counts the accesses of a file, and applies the rules.
fn analyze_file(
    mut report: FileReport,
    sources: &SourceMap,
    mut program: Program,
    measuring: &MeasureOptions,
) -> FileResult {
    report.diagnostics = std::mem::take(&mut program.diagnostics);
    let broken = program.broken_bounds();
    let analysis = measure(program, measuring);
    report.profile.add(sources, &analysis);
    report.findings = findings(&analysis, measuring);
    FileResult {
        needs_operations: wants_operations(&analysis, measuring),
        report,
        broken,
        uncounted: analysis.diagnostics,
    }
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
