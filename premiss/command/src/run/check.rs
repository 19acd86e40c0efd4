//! `premiss check`

use super::selection::{check_bases, check_sizes};
use crate::arguments::{CheckArguments, Format};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::input;
use crate::output::{self, Colours};
use clap::ArgMatches;
use premiss_analyze::{NestCoverage, Program, measure, read};
use premiss_report::{coverage_json, coverage_summary, render_diagnostics};
use premiss_source::{Diagnostic, Severity, SourceMap};
use std::collections::BTreeSet;

pub(crate) fn run(
    arguments: &CheckArguments,
    matches: &ArgMatches,
    colours: Colours,
) -> Result<Exit, Failure> {
    let reading = flags::reading(&arguments.reading, matches)?;
    let measuring = flags::measuring(&arguments.measuring)?;
    let paths = input::expand(&arguments.input.paths)?;
    let mut sources = SourceMap::new();
    let (mut unused, mut names) = (reading.sizes.keys().cloned().collect(), BTreeSet::new());
    let mut diagnostics = Vec::new();
    let mut nests = Vec::new();
    for path in &paths {
        let file = input::open(&mut sources, path, &arguments.input.stdin_filename)?;
        let program = read(&mut sources, file, &reading, &mut input::load_include);
        note_sizes(&program, &mut unused, &mut names);
        if let [_] = paths.as_slice() {
            check_bases(&program, &measuring)?;
        }
        let analysis = measure(program, &measuring);
        diagnostics.extend(analysis.diagnostics);
        nests.extend(analysis.functions.into_iter().flat_map(|x| x.nests));
    }
    let unused: Vec<_> = unused.into_iter().collect();
    check_sizes(&unused, &names, &paths.join(", "))?;
    let text = rendered(&sources, &diagnostics, &nests, arguments, colours);
    output::write(arguments.output.output.as_deref(), &text)?;
    let is_finding = |diagnostic: &Diagnostic| Severity::Note < diagnostic.severity;
    Ok(match diagnostics.iter().any(is_finding) {
        true if !arguments.exit_zero => Exit::Findings,
        _ => Exit::Clean,
    })
}

/// Of several files, a size has to be used in one.
pub(crate) fn note_sizes(
    program: &Program,
    unused: &mut BTreeSet<String>,
    names: &mut BTreeSet<String>,
) {
    unused.retain(|name| program.unused_sizes.contains(name));
    names.extend(program.size_names.iter().cloned());
}

fn rendered(
    sources: &SourceMap,
    diagnostics: &[Diagnostic],
    nests: &[NestCoverage],
    arguments: &CheckArguments,
    colours: Colours,
) -> String {
    match arguments.output.format {
        Format::Json => coverage_json(sources, nests, diagnostics),
        Format::Text => {
            let colour = colours.data(arguments.output.output.as_deref());
            let mut text = render_diagnostics(sources, diagnostics, colour);
            text.push_str(&coverage_summary(nests));
            text
        }
    }
}
