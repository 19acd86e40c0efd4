//! `premiss report`

use super::selection::{Selected, read_selected};
use crate::arguments::{ReportArguments, ReportFormat};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::output::{self, Colours};
use crate::profile::Profiles;
use clap::ArgMatches;
use premiss_analyze::{Analysis, measure};
use premiss_report::{CallgrindProfile, Histograms, render_diagnostics, report_json, report_text};
use premiss_source::{Severity, SourceMap};

pub(crate) fn run(
    arguments: &ReportArguments,
    matches: &ArgMatches,
    colours: Colours,
) -> Result<Exit, Failure> {
    let reading = flags::reading(&arguments.reading, matches)?;
    let measuring = flags::measuring(&arguments.measuring)?;
    let mut sources = SourceMap::new();
    let function = arguments.function.as_deref();
    let Selected {
        files,
        paths,
        mut program,
    } = read_selected(
        &mut sources,
        &arguments.input,
        (&arguments.reading, &reading),
        &measuring,
        function,
    )?;
    Profiles::read(&arguments.profile.profile)?.give(&sources, &files, &mut program)?;
    let analysis = measure(program, &measuring);
    let chatter = render_diagnostics(&sources, &analysis.diagnostics, colours.stderr);
    output::say(&chatter);
    if analysis.functions.is_empty() {
        output::say(&format!(
            "note: `{paths}` has no function with a loop nest\n"
        ));
    }
    let text = rendered(&sources, &analysis, arguments, colours);
    output::write(arguments.output.as_deref(), &text)?;
    Ok(exit(&analysis))
}

fn rendered(
    sources: &SourceMap,
    analysis: &Analysis,
    arguments: &ReportArguments,
    colours: Colours,
) -> String {
    let histograms = if arguments.histogram {
        Histograms::Show
    } else {
        Histograms::Omit
    };
    match arguments.format {
        ReportFormat::Json => report_json(sources, analysis, histograms),
        ReportFormat::Text => {
            let colour = colours.data(arguments.output.as_deref());
            report_text(sources, analysis, histograms, colour)
        }
        ReportFormat::Callgrind => {
            let mut profile = CallgrindProfile::default();
            // As for the other forms: paths are as they were given, for a viewer to find them.
            profile.add(sources, analysis, &str::to_owned);
            profile.text(&analysis.machine)
        }
    }
}

/// A file that is no program is a failure; one of which no function could be counted is
/// inconclusive.
fn exit(analysis: &Analysis) -> Exit {
    let is_error = |severity| severity == Severity::Error;
    if analysis
        .functions
        .iter()
        .any(|function| function.failure.is_none())
    {
        Exit::Clean
    } else if !analysis.functions.is_empty() {
        Exit::Inconclusive
    } else if analysis.diagnostics.iter().any(|x| is_error(x.severity)) {
        Exit::Failure
    } else {
        Exit::Clean
    }
}
