//! What each of many files has, put together.

use crate::repository::plain;
use premiss_analyze::{LoopCoverage, Program};
use premiss_gate::Finding;
use premiss_report::{CallgrindProfile, CoverageReport};
use premiss_source::{Diagnostic, FileId, SourceMap};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What one file has.
#[derive(Debug)]
pub(crate) struct FileRow {
    pub(crate) file: FileId,
    pub(crate) loops: LoopCoverage,
    pub(crate) is_dense: bool,
    pub(crate) findings: Vec<Finding>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What every line costs.
    pub(crate) profile: CallgrindProfile,
}

/// What all files have, in their order.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) report: CoverageReport,
    pub(crate) findings: Vec<Finding>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What every line costs.
    pub(crate) profile: CallgrindProfile,
}

impl FileRow {
    /// The nests of a file.
    pub(crate) fn of(file: FileId, program: &mut Program) -> Self {
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
            is_dense: program.is_dense,
            findings: Vec::new(),
            diagnostics: Vec::new(),
            profile: CallgrindProfile::default(),
        }
    }
}

/// Puts together all files but those that others of them include: these are read there, with the
/// macros and names that they need. `mains` are the files that were asked for.
pub(crate) fn gather(
    sources: &SourceMap,
    mains: &BTreeSet<FileId>,
    rows: Vec<FileRow>,
) -> Gathered {
    let included: BTreeSet<PathBuf> = sources
        .files()
        .filter(|(id, _)| !mains.contains(id))
        .map(|(_, file)| plain(Path::new(file.path())))
        .collect();
    let mut all = Gathered::default();
    let report = &mut all.report;
    let mut known = BTreeSet::new();
    for mut row in rows {
        if included.contains(&plain(Path::new(sources.file(row.file).path()))) {
            report.included += 1;
            continue;
        }
        let is_broken = |found: &Diagnostic| found.code == "syntax";
        match row.diagnostics.iter().any(is_broken) {
            true => report.partly_parsed.push(row.file),
            false => report.parsed += 1,
        }
        // A function in a header is one function, however many files include it.
        row.loops.nests.retain(|nest| {
            nest.span.file == row.file || {
                let path = plain(Path::new(sources.file(nest.span.file).path()));
                known.insert((path, nest.span.start, nest.function.clone()))
            }
        });
        report.nests.append(&mut row.loops.nests);
        report.is_dense |= row.is_dense;
        report.without_arrays += row.loops.without_arrays;
        all.findings.append(&mut row.findings);
        all.diagnostics.append(&mut row.diagnostics);
        all.profile.merge(row.profile);
    }
    all
}
