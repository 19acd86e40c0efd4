//! `premiss coverage`

use super::check::note_sizes;
use super::selection::check_sizes;
use crate::arguments::{CoverageArguments, Format};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::input;
use crate::output::{self, Colours};
use clap::ArgMatches;
use premiss_analyze::{coverage, read};
use premiss_report::{coverage_json, coverage_text, render_diagnostics};
use premiss_source::SourceMap;
use std::collections::BTreeSet;

pub(crate) fn run(
    arguments: &CoverageArguments,
    matches: &ArgMatches,
    colours: Colours,
) -> Result<Exit, Failure> {
    let reading = flags::reading(&arguments.reading, matches)?;
    let paths = input::expand(&arguments.input.paths)?;
    let mut sources = SourceMap::new();
    let (mut unused, mut names) = (reading.sizes.keys().cloned().collect(), BTreeSet::new());
    let mut diagnostics = Vec::new();
    let mut nests = Vec::new();
    for path in &paths {
        let file = input::open(&mut sources, path, &arguments.input.stdin_filename)?;
        let program = read(&mut sources, file, &reading, &mut input::load_include);
        note_sizes(&program, &mut unused, &mut names);
        nests.extend(program.functions.iter().flat_map(coverage));
        diagnostics.extend(program.diagnostics);
    }
    let unused: Vec<_> = unused.into_iter().collect();
    check_sizes(&unused, &names, &paths.join(", "))?;
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
