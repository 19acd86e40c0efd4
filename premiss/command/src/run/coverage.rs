//! `premiss coverage`

use super::selection::read_all;
use crate::arguments::{CoverageArguments, Format};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::output::{self, Colours};
use crate::repository::plain;
use clap::ArgMatches;
use premiss_analyze::{Coverage, LoopCoverage, Program, ReadOptions};
use premiss_report::{CoverageReport, coverage_json, coverage_text, render_diagnostics};
use premiss_source::{Diagnostic, FileId, SourceMap};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What one file has.
struct FileRow {
    file: FileId,
    loops: LoopCoverage,
    is_dense: bool,
    diagnostics: Vec<Diagnostic>,
}

pub(crate) fn run(
    arguments: &CoverageArguments,
    matches: &ArgMatches,
    colours: Colours,
) -> Result<Exit, Failure> {
    let reading = ReadOptions {
        without_operations: true,
        ..flags::reading(&arguments.reading, matches)?
    };
    let mut sources = SourceMap::new();
    let mut rows = Vec::new();
    read_all(
        &mut sources,
        &arguments.input,
        (&arguments.reading, &reading),
        &mut |_, (file, _), program| {
            rows.push(row(file, program));
            Ok(())
        },
    )?;
    let (report, diagnostics) = gather(&sources, rows);
    let text = match arguments.output.format {
        Format::Json => coverage_json(&sources, &report, &diagnostics),
        Format::Text => {
            output::say(&render_diagnostics(&sources, &diagnostics, colours.stderr));
            let colour = colours.data(arguments.output.output.as_deref());
            coverage_text(&sources, &report, colour)
        }
    };
    output::write(arguments.output.output.as_deref(), &text)?;
    Ok(match is_missed(&report, arguments.min_coverage) {
        true => Exit::Inconclusive,
        false => Exit::Clean,
    })
}

/// Whether fewer of the nests are exact than asked, in percent, which is said; without nests there is nothing to miss.
#[expect(clippy::cast_precision_loss, reason = "there are no 2^53 nests")]
pub(super) fn is_missed(report: &CoverageReport, least: Option<f64>) -> bool {
    let found = Coverage::of(&report.nests);
    let (exact, nests) = (found.exact, found.nests());
    let Some(least) = least.filter(|least| 100.0 * (exact as f64) < least * nests as f64) else {
        return false;
    };
    output::say(&format!(
        "premiss: coverage is missed: {exact} of {nests} nests are exact, at least {least} % asked\n"
    ));
    true
}

fn row(file: FileId, program: Program) -> FileRow {
    let mut loops = LoopCoverage {
        nests: Vec::new(),
        without_arrays: 0,
    };
    for mut found in program.coverage {
        loops.nests.append(&mut found.nests);
        loops.without_arrays += found.without_arrays;
    }
    FileRow {
        file,
        loops,
        is_dense: program.is_dense,
        diagnostics: program.diagnostics,
    }
}

/// The report on all files but those that others of them include: these are read there, with the
/// macros and names that they need.
fn gather(sources: &SourceMap, rows: Vec<FileRow>) -> (CoverageReport, Vec<Diagnostic>) {
    let mains: BTreeSet<FileId> = rows.iter().map(|row| row.file).collect();
    let included: BTreeSet<PathBuf> = sources
        .files()
        .filter(|(id, _)| !mains.contains(id))
        .map(|(_, file)| plain(Path::new(file.path())))
        .collect();
    let mut report = CoverageReport::default();
    let mut diagnostics = Vec::new();
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
            let path = plain(Path::new(sources.file(nest.span.file).path()));
            nest.span.file == row.file
                || known.insert((path, nest.span.start, nest.function.clone()))
        });
        report.nests.append(&mut row.loops.nests);
        report.is_dense |= row.is_dense;
        report.without_arrays += row.loops.without_arrays;
        diagnostics.append(&mut row.diagnostics);
    }
    (report, diagnostics)
}
