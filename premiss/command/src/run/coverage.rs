//! `premiss coverage`

use super::gathered::{FileRow, Gathered, gather};
use super::selection::read_all;
use crate::arguments::{CoverageArguments, Format};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::output::{self, Colours};
use clap::ArgMatches;
use premiss_analyze::{Coverage, ReadOptions};
use premiss_report::{coverage_json, coverage_text, render_diagnostics};
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
    read_all(
        &mut sources,
        &arguments.input,
        (&arguments.reading, &reading),
        &mut |_, (file, _), mut program| {
            let mut row = FileRow::of(file, &mut program);
            row.diagnostics = program.diagnostics;
            rows.push(row);
            Ok(())
        },
    )?;
    let Gathered {
        report,
        diagnostics,
        ..
    } = gather(&sources, rows);
    let text = match arguments.output.format {
        Format::Json => coverage_json(&sources, &report, &diagnostics),
        Format::Text => {
            output::say(&render_diagnostics(&sources, &diagnostics, colours.stderr));
            let colour = colours.data(arguments.output.output.as_deref());
            coverage_text(&sources, &report, colour)
        }
    };
    output::write(arguments.output.output.as_deref(), &text)?;
    let found = Coverage::of(&report.nests);
    match arguments.min_coverage {
        Some(least) if !reaches(found, least) => {
            let (exact, nests) = (found.exact, found.nests());
            output::say(&format!(
                "premiss: coverage is missed: {exact} of {nests} nests are exact, at least \
                 {least} % asked\n"
            ));
            Ok(Exit::Inconclusive)
        }
        _ => Ok(Exit::Clean),
    }
}

/// Whether a share of the nests is exact, in percent; without nests there is nothing to miss.
#[expect(clippy::cast_precision_loss, reason = "there are no 2^53 nests")]
fn reaches(found: Coverage, least: f64) -> bool {
    least * found.nests() as f64 <= 100.0 * found.exact as f64
}
