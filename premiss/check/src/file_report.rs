//! The results of single files, and their merging.

use crate::paths::normalize;
use premiss_analyze::{LoopCoverage, Omission, Program, omission};
use premiss_gate::Finding;
use premiss_report::{CallgrindProfile, CoverageReport};
use premiss_source::{Diagnostic, FileId, SourceMap};
use premiss_tree::Assumption;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The results of one file.
#[derive(Debug)]
pub struct FileReport {
    /// The file.
    pub file: FileId,
    /// Its loop nests.
    pub loops: LoopCoverage,
    /// What its nests rest on beyond the text.
    pub assumptions: BTreeSet<Assumption>,
    /// The findings of rules.
    pub findings: Vec<Finding>,
    /// What could not be understood or counted.
    pub diagnostics: Vec<Diagnostic>,
    /// The counts of every line.
    pub profile: CallgrindProfile,
}

/// The merged results of all files, in their order.
#[derive(Debug, Default)]
pub struct ProgramReport {
    /// The coverage of nests.
    pub report: CoverageReport,
    /// The findings of rules.
    pub findings: Vec<Finding>,
    /// What could not be understood or counted.
    pub diagnostics: Vec<Diagnostic>,
    /// The counts of every line.
    pub profile: CallgrindProfile,
}

impl FileReport {
    /// The report of a file with its nests, which are taken out of its program; findings, diagnostics and counts are
    /// empty.
    #[must_use]
    pub fn new(file: FileId, program: &mut Program) -> Self {
        let mut loops = LoopCoverage {
            nests: Vec::new(),
            without_arrays: 0,
        };
        for mut found in std::mem::take(&mut program.coverage) {
            loops.nests.append(&mut found.nests);
            loops.without_arrays += found.without_arrays;
        }
        Self {
            file,
            loops,
            assumptions: std::mem::take(&mut program.assumptions),
            findings: Vec::new(),
            diagnostics: Vec::new(),
            profile: CallgrindProfile::default(),
        }
    }
}

/// Merges the reports of files. Files that others include are skipped, because they were read there with the macros and
/// names that they need. `mains` are the requested files.
#[must_use]
pub fn merge_reports(
    sources: &SourceMap,
    mains: &BTreeSet<FileId>,
    rows: Vec<FileReport>,
) -> ProgramReport {
    let included: BTreeSet<PathBuf> = sources
        .files()
        .filter(|(id, _)| !mains.contains(id))
        .map(|(_, file)| normalize(Path::new(file.path())))
        .collect();
    let mut all = ProgramReport::default();
    let report = &mut all.report;
    let mut known = BTreeSet::new();
    for mut row in rows {
        if included.contains(&normalize(Path::new(sources.file(row.file).path()))) {
            report.included += 1;
            continue;
        }
        let is_unread = |found: &Diagnostic| omission(found) == Some(Omission::Text);
        match row.diagnostics.iter().any(is_unread) {
            true => report.partly_parsed.push(row.file),
            false => report.parsed += 1,
        }
        // A function in a header counts once, however many files include it.
        row.loops.nests.retain(|nest| {
            nest.span.file == row.file || {
                let path = normalize(Path::new(sources.file(nest.span.file).path()));
                known.insert((path, nest.span.start, nest.function.clone()))
            }
        });
        report.nests.append(&mut row.loops.nests);
        report.assumptions.append(&mut row.assumptions);
        report.without_arrays += row.loops.without_arrays;
        all.findings.append(&mut row.findings);
        all.diagnostics.append(&mut row.diagnostics);
        all.profile.merge(row.profile);
    }
    all
}
