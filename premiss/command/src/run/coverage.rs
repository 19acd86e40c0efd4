//! `premiss coverage`

use super::selection::read_all;
use crate::arguments::{CoverageArguments, Format};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::output::{self, Colours};
use clap::ArgMatches;
use premiss_analyze::coverage;
use premiss_report::{coverage_json, coverage_text, render_diagnostics};
use premiss_source::SourceMap;

pub(crate) fn run(
    arguments: &CoverageArguments,
    matches: &ArgMatches,
    colours: Colours,
) -> Result<Exit, Failure> {
    let reading = flags::reading(&arguments.reading, matches)?;
    let mut sources = SourceMap::new();
    let mut diagnostics = Vec::new();
    let mut nests = Vec::new();
    read_all(
        &mut sources,
        &arguments.input,
        &reading,
        &mut |program, _| {
            nests.extend(program.functions.iter().flat_map(coverage));
            diagnostics.extend(program.diagnostics);
            Ok(())
        },
    )?;
    let text = match arguments.output.format {
        Format::Json => coverage_json(&sources, &nests, &diagnostics),
        Format::Text => {
            output::say(&render_diagnostics(&sources, &diagnostics, colours.stderr));
            let colour = colours.data(arguments.output.output.as_deref());
            coverage_text(&sources, &nests, colour)
        }
    };
    output::write(arguments.output.output.as_deref(), &text)?;
    Ok(Exit::Clean)
}
