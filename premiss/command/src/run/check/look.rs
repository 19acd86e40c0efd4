//! What there is to find in files: read as one program, counted function by function, held to rules.

use crate::failure::Failure;
use crate::profile::Profiles;
use crate::run::gathered::{FileRow, Gathered, gather};
use crate::run::selection::{Opened, check_bases, read_opened};
use premiss_analyze::{Analysis, MeasureOptions, Program, ReadOptions, measure};
use premiss_gate::{Finding, findings, suppress, wants_operations};
use premiss_report::{CallgrindProfile, CoverageReport};
use premiss_source::{Diagnostic, MARK, SourceMap};
use std::collections::BTreeSet;

/// What a check has to say, whatever the form.
#[derive(Debug, PartialEq)]
pub(super) struct Found {
    pub(super) report: CoverageReport,
    /// Most bytes first.
    pub(super) findings: Vec<Finding>,
    /// What could not be understood or counted, and comments that silence nothing.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// How many findings comments silence.
    pub(super) silenced: usize,
    /// What every line costs.
    pub(super) costs: CallgrindProfile,
}

/// Says under which path a file is shown.
pub(super) type PathOf<'a> = dyn Fn(&str) -> String + 'a;

/// Reads what included files have.
pub(super) type Load<'a> = dyn FnMut(&str) -> Option<Vec<u8>> + 'a;

/// Looks at files that are open.
///
/// # Errors
///
/// An option mentions a size or an array that nothing has, or a profile is of other files.
pub(super) fn look(
    sources: &mut SourceMap,
    opened: &Opened,
    measuring: &MeasureOptions,
    profile: &Profiles,
    (load, path_of): (&mut Load<'_>, &PathOf<'_>),
) -> Result<Found, Failure> {
    let needs_operations = |sources: &SourceMap| {
        !profile.is_empty() || sources.files().any(|(_, file)| assumes(file.text()))
    };
    // Arithmetic matters where something says how often data decide what, and where only variables may keep a
    // rule from speaking. Only the files that are read know which others they include.
    if !needs_operations(sources) {
        let quick = without_operations(opened);
        let counted = rows(sources, &quick, measuring, profile, (load, path_of))?;
        if !counted.is_open && !needs_operations(sources) {
            return Ok(found(sources, opened, counted));
        }
    }
    let counted = rows(sources, opened, measuring, profile, (load, path_of))?;
    Ok(found(sources, opened, counted))
}

/// Whether comments of a text may say how often something happens.
fn assumes(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let mut marks = text.match_indices(MARK);
    marks.any(|(at, mark)| text[at + mark.len()..].trim_start().starts_with("assume"))
}

fn without_operations(opened: &Opened) -> Opened {
    let one = |options: &ReadOptions| ReadOptions {
        without_operations: true,
        ..options.clone()
    };
    let files = opened.files.iter();
    Opened {
        files: files.map(|(file, options)| (*file, one(options))).collect(),
        own: one(&opened.own),
    }
}

/// What files have.
#[derive(Default)]
struct Counted {
    gathered: Gathered,
    costs: CallgrindProfile,
    /// Whether a rule would have to know their arithmetic.
    is_open: bool,
}

/// Counts what files have.
fn rows(
    sources: &mut SourceMap,
    opened: &Opened,
    measuring: &MeasureOptions,
    profile: &Profiles,
    (load, path_of): (&mut Load<'_>, &PathOf<'_>),
) -> Result<Counted, Failure> {
    let mut counted = Counted::default();
    let mut rows = Vec::new();
    read_opened(
        sources,
        opened,
        load,
        &mut |sources, (file, files), mut program| {
            if files.len() == 1 {
                check_bases(&program, measuring)?;
            }
            profile.give(sources, files, &mut program)?;
            let mut row = FileRow::of(file, &mut program);
            let analysis = measure_row(&mut row, program, measuring);
            counted.is_open |= wants_operations(&analysis);
            counted.costs.add(sources, &analysis, path_of);
            row.diagnostics.extend(analysis.diagnostics);
            rows.push(row);
            Ok(())
        },
    )?;
    counted.gathered = gather(sources, rows);
    Ok(counted)
}

/// Counts what a file has, and adds what rules say of it.
fn measure_row(row: &mut FileRow, program: Program, measuring: &MeasureOptions) -> Analysis {
    row.diagnostics = program.broken_bounds();
    let analysis = measure(program, measuring);
    row.findings = findings(&analysis);
    analysis
}

/// Ranks what was found, and leaves out what comments silence.
fn found(sources: &SourceMap, opened: &Opened, counted: Counted) -> Found {
    let Gathered {
        report,
        mut findings,
        diagnostics,
    } = counted.gathered;
    // What misses most is read first; what could not be understood comes after it.
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.bytes));
    // A header is looked at where something was found in it.
    let mains = opened.files.iter().map(|(file, _)| *file);
    let places = findings.iter().filter_map(Finding::span);
    let read: BTreeSet<_> = mains.chain(places.map(|span| span.file)).collect();
    let kept = suppress(sources, &read, findings);
    Found {
        report,
        findings: kept.findings,
        diagnostics: kept.diagnostics.into_iter().chain(diagnostics).collect(),
        silenced: kept.silenced,
        costs: counted.costs,
    }
}
