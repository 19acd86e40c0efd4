//! What there is to find in files: read as one program, counted function by function, held to rules.

use crate::failure::Failure;
use crate::profile::Profiles;
use crate::run::gathered::{FileRow, Gathered, gather};
use crate::run::selection::{Opened, check_bases, read_opened};
use premiss_analyze::{Analysis, MeasureOptions, Program, ReadOptions, measure};
use premiss_gate::{Finding, findings, suppress, wants_operations};
use premiss_report::CoverageReport;
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
}

/// Reads what included files have.
pub(super) type Load<'a> = dyn FnMut(&str) -> Option<Vec<u8>> + 'a;

/// Sees what was counted, perhaps more than once.
pub(super) type Witness<'a> = dyn FnMut(&SourceMap, &Analysis) + 'a;

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
    (load, witness): (&mut Load<'_>, &mut Witness<'_>),
) -> Result<Found, Failure> {
    let needs_operations = |sources: &SourceMap| {
        !profile.is_empty() || sources.files().any(|(_, file)| assumes(file.text()))
    };
    // Arithmetic matters where something says how often data decide what, and where only variables may keep a
    // rule from speaking. Only the files that are read know which others they include.
    if !needs_operations(sources) {
        let quick = without_operations(opened);
        let (gathered, is_open) = rows(sources, &quick, measuring, profile, (load, witness))?;
        if !is_open && !needs_operations(sources) {
            return Ok(found(sources, opened, gathered));
        }
    }
    let (gathered, _) = rows(sources, opened, measuring, profile, (load, witness))?;
    Ok(found(sources, opened, gathered))
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

/// What files have, and whether a rule would have to know their arithmetic.
fn rows(
    sources: &mut SourceMap,
    opened: &Opened,
    measuring: &MeasureOptions,
    profile: &Profiles,
    (load, witness): (&mut Load<'_>, &mut Witness<'_>),
) -> Result<(Gathered, bool), Failure> {
    let mut is_open = false;
    let mut rows = Vec::new();
    read_opened(
        sources,
        opened,
        load,
        &mut |sources, (file, files), mut program| {
            if files.len() == 1 {
                check_bases(&program.functions, measuring, "--base")?;
            }
            profile.give(sources, files, &mut program)?;
            let mut row = FileRow::of(file, &mut program);
            is_open |= count(&mut row, program, measuring, &mut |x| witness(sources, x));
            rows.push(row);
            Ok(())
        },
    )?;
    Ok((gather(sources, rows), is_open))
}

/// Counts what a file has, and adds what is to be said of it. Whether a rule would have to know its arithmetic.
fn count(
    row: &mut FileRow,
    program: Program,
    measuring: &MeasureOptions,
    witness: &mut dyn FnMut(&Analysis),
) -> bool {
    row.diagnostics = program.broken_bounds();
    let analysis = measure(program, measuring);
    witness(&analysis);
    row.findings = findings(&analysis);
    let is_open = wants_operations(&analysis);
    row.diagnostics.extend(analysis.diagnostics);
    is_open
}

/// Ranks what was found, and leaves out what comments silence.
fn found(sources: &SourceMap, opened: &Opened, gathered: Gathered) -> Found {
    let Gathered {
        report,
        mut findings,
        diagnostics,
    } = gathered;
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
    }
}
