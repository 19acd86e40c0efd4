//! `premiss check`

use super::selection::{check_bases, read_all};
use crate::arguments::{CheckArguments, Format};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::output::{self, Colours};
use clap::ArgMatches;
use premiss_analyze::{NestCoverage, measure};
use premiss_report::{coverage_json, coverage_summary, render_diagnostics};
use premiss_source::{Diagnostic, Severity, SourceMap};

pub(crate) fn run(
    arguments: &CheckArguments,
    matches: &ArgMatches,
    colours: Colours,
) -> Result<Exit, Failure> {
    let reading = flags::reading(&arguments.reading, matches)?;
    let measuring = flags::measuring(&arguments.measuring)?;
    let mut sources = SourceMap::new();
    let mut diagnostics = Vec::new();
    let mut nests = Vec::new();
    read_all(
        &mut sources,
        &arguments.input,
        &reading,
        &mut |program, n_files| {
            if n_files == 1 {
                check_bases(&program, &measuring)?;
            }
            let analysis = measure(program, &measuring);
            diagnostics.extend(analysis.diagnostics);
            nests.extend(analysis.functions.into_iter().flat_map(|x| x.nests));
            Ok(())
        },
    )?;
    let text = rendered(&sources, &diagnostics, &nests, arguments, colours);
    output::write(arguments.output.output.as_deref(), &text)?;
    let is_finding = |diagnostic: &Diagnostic| Severity::Note < diagnostic.severity;
    Ok(match diagnostics.iter().any(is_finding) {
        true if !arguments.exit_zero => Exit::Findings,
        _ => Exit::Clean,
    })
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
