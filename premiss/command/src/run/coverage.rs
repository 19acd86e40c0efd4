//! `premiss coverage`

use super::gathered::{FileRow, Gathered, gather};
use super::selection::{open_below, read_all};
use crate::arguments::{CoverageArguments, Format};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::output::{self, Colours};
use crate::progress::Progress;
use crate::repository::Repository;
use clap::ArgMatches;
use premiss_analyze::{Coverage, ReadOptions};
use premiss_report::{CoverageReport, coverage_json, coverage_text, render_diagnostics};
use premiss_source::SourceMap;

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
    let opened = open_below(
        &mut sources,
        &arguments.input,
        (&arguments.reading, &reading),
    )?;
    let progress = Progress::new("reading", opened.files.len());
    read_all(
        &mut sources,
        &opened,
        &mut |sources, (file, _), mut program| {
            progress.at(rows.len(), "looking at", sources.file(file).path());
            let mut row = FileRow::of(file, &mut program);
            row.diagnostics = program.diagnostics;
            rows.push(row);
            Ok(())
        },
    )?;
    drop(progress);
    let mains = rows.iter().map(|row: &FileRow| row.file).collect();
    let Gathered {
        report,
        diagnostics,
        ..
    } = gather(&sources, &mains, rows);
    let text = match arguments.output.format {
        Format::Json => {
            let repository = Repository::here()?;
            let path_of = |path: &str| repository.path_of(path);
            coverage_json(&sources, &path_of, &report, &diagnostics)
        }
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
