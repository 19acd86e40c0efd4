//! `premiss report`

use super::derivations::{self, Again};
use super::selection::{Selected, read_selected};
use crate::arguments::{ReportArguments, ReportFormat};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::output::{self, Colours};
use crate::profile::Profiles;
use clap::ArgMatches;
use premiss_analyze::{Analysis, measure};
use premiss_report::{
    CallgrindProfile, Histograms, render_diagnostics, report_html, report_json, report_text,
};
use premiss_source::{FileSystem, Severity, SourceMap};
use std::ffi::OsStr;
use std::path::Path;

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
        opened,
        paths,
        mut program,
    } = read_selected(
        &mut sources,
        &arguments.input,
        (&arguments.reading, &reading),
        &measuring,
        function,
    )?;
    let profiles = Profiles::read(&arguments.profile.profile)?;
    profiles.give(&sources, &files, &mut program)?;
    let analysis = measure(program, &measuring);
    let chatter = render_diagnostics(&sources, &analysis.diagnostics, colours.stderr);
    output::say(&chatter);
    if analysis.functions.is_empty() {
        output::say(&format!(
            "note: `{paths}` has no function with a loop nest\n"
        ));
    }
    let histograms = match arguments.histogram {
        true => Histograms::Show,
        false => Histograms::Omit,
    };
    let text = match format(arguments) {
        ReportFormat::Json => report_json(&sources, &analysis, histograms),
        ReportFormat::Text => {
            let colour = colours.data(arguments.output.as_deref());
            report_text(&sources, &analysis, histograms, colour)
        }
        ReportFormat::Callgrind => {
            let mut profile = CallgrindProfile::default();
            // Paths are as they were given, for a viewer to find the files.
            profile.add(&sources, &analysis);
            let machine = &analysis.machine;
            let levels: Vec<String> = machine.models().map(|(name, _)| name.to_owned()).collect();
            profile.text(&machine.id(), &levels, &str::to_owned)
        }
        ReportFormat::Html => {
            let again = Again {
                files: &opened,
                included: &FileSystem,
                function,
                profiles: &profiles,
                measuring: &measuring,
            };
            let found = derivations::derive(&mut sources, &analysis, &again)?;
            report_html(&sources, &analysis, histograms, &found)
        }
    };
    output::write(arguments.output.as_deref(), &text)?;
    Ok(exit(&analysis))
}

/// The form that is asked for, or that the name of the output file has.
fn format(arguments: &ReportArguments) -> ReportFormat {
    let file = arguments.output.as_deref().map(Path::new);
    let ending = file.and_then(Path::extension).and_then(OsStr::to_str);
    let by_name = match ending.map(str::to_ascii_lowercase).as_deref() {
        Some("html" | "htm") => ReportFormat::Html,
        Some("json") => ReportFormat::Json,
        _ => ReportFormat::Text,
    };
    arguments.format.unwrap_or(by_name)
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
