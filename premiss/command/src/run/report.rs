//! `premiss report`

use super::completeness::Completeness;
use super::report_formulas;
use crate::arguments::{ReportArguments, ReportFormat};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::invocation::Invocation;
use crate::missing_sizes::next_line;
use crate::output;
use premiss_check::{
    Host as _, Profiles, ProgramSource, SelectedProgram, derive_page, measure_visibly,
    read_selected,
};
use premiss_report::{
    CallgrindProfile, Histograms, brief_diagnostics, report_html, report_json, report_text,
};
use premiss_source::SourceMap;
use std::ffi::OsStr;
use std::path::Path;

pub(crate) fn run(
    arguments: &ReportArguments,
    invocation: Invocation<'_>,
) -> Result<Exit, Failure> {
    let form = format(arguments)?;
    let reading = flags::reading(&arguments.reading, invocation.matches)?;
    let measuring = flags::reporting(&arguments.measuring)?;
    let mut sources = SourceMap::new();
    let function = arguments.function.as_deref();
    let options = flags::input_options(&arguments.reading);
    let request = flags::file_request(&arguments.input, &options, &reading, invocation.host);
    let SelectedProgram {
        files,
        inputs,
        paths,
        mut program,
    } = read_selected(&mut sources, &request, &measuring, function)?;
    let profiles = Profiles::read(&arguments.profile.profile)?;
    profiles.apply(&sources, &files, &mut program)?;
    let shared = measuring.shared_by(&program.functions);
    let mut analysis = measure_visibly(program, &shared, invocation.host);
    output::say(&brief_diagnostics(
        &sources,
        &analysis.diagnostics,
        invocation.colours.stderr,
    ));
    if analysis.functions.is_empty() {
        output::say(&format!(
            "note: `{paths}` has no function with a loop nest\n"
        ));
    }
    let histograms = match arguments.histogram {
        true => Histograms::Show,
        false => Histograms::Omit,
    };
    let completeness = Completeness::of_analysis(&analysis);
    let text = match form {
        ReportFormat::Json => report_json(&sources, &analysis, histograms),
        ReportFormat::Text => {
            let colour = invocation.colours.data(arguments.output.as_deref());
            let symbolic = report_formulas::take_symbolic(&mut analysis, &measuring);
            report_formulas::text(&sources, &symbolic, &measuring, colour)
                + &report_text(&sources, &analysis, histograms, colour)
        }
        ReportFormat::Callgrind => {
            let mut profile = CallgrindProfile::default();
            // Paths stay as they were given, so that a viewer finds the files.
            profile.add(&sources, &analysis);
            let machine = &analysis.machine;
            let levels: Vec<String> = machine.models().map(|(name, _)| name.to_owned()).collect();
            profile.text(&machine.id(), &levels, &str::to_owned)
        }
        ReportFormat::Html => {
            let source = ProgramSource {
                files: &inputs,
                included: invocation.host.files(),
                function,
                profiles: &profiles,
                host: invocation.host,
            };
            let derivations = derive_page(&mut sources, &analysis, &source, &measuring)?;
            report_html(&sources, &analysis, histograms, &derivations)
        }
    };
    output::write(arguments.output.as_deref(), &text)?;
    output::say(&next_line(&analysis.diagnostics));
    Ok(completeness)
}

/// The form of the option, or that of the output file's extension.
fn format(arguments: &ReportArguments) -> Result<ReportFormat, Failure> {
    if let Some(format) = arguments.format {
        return Ok(format);
    }
    let file = arguments.output.as_deref();
    let path = file.map(Path::new);
    let ending = path.and_then(Path::extension).and_then(OsStr::to_str);
    match ending.map(str::to_ascii_lowercase).as_deref() {
        Some("html" | "htm") => Ok(ReportFormat::Html),
        Some("json") => Ok(ReportFormat::Json),
        None | Some("txt" | "text" | "log" | "out") => Ok(ReportFormat::Text),
        Some(_) => Err(Failure::usage(format!(
            "-o {}: the ending says no form of a report; name it .html, .json or .txt, or give --format",
            file.unwrap_or_default()
        ))),
    }
}
