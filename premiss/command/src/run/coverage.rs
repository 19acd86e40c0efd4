//! `premiss coverage`

use super::min_coverage::is_missed;
use crate::arguments::{CoverageArguments, Format};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::invocation::Invocation;
use crate::output;
use premiss_analyze::ReadOptions;
use premiss_check::{
    FileReport, Host as _, ProgramReport, Repository, merge_reports, open_below, read_each,
};
use premiss_report::{coverage_json, coverage_text, render_diagnostics};
use premiss_source::SourceMap;

pub(crate) fn run(
    arguments: &CoverageArguments,
    invocation: Invocation<'_>,
) -> Result<Exit, Failure> {
    let reading = ReadOptions {
        without_operations: true,
        ..flags::reading(&arguments.reading, invocation.matches)?
    };
    let mut sources = SourceMap::new();
    let mut reports = Vec::new();
    let host = invocation.host;
    let options = flags::input_options(&arguments.reading);
    let request = flags::path_request(&arguments.input, &options, &reading, host);
    let opened = open_below(&mut sources, &request)?;
    let progress = host.progress("reading", opened.files.len());
    read_each(
        &mut sources,
        &opened,
        &mut |sources, (file, _), mut program| {
            progress.advance(reports.len(), "looking at", sources.file(file).path());
            let mut report = FileReport::new(file, &mut program);
            report.diagnostics = program.diagnostics;
            reports.push(report);
            Ok(())
        },
    )?;
    drop(progress);
    let mains = reports
        .iter()
        .map(|report: &FileReport| report.file)
        .collect();
    let ProgramReport {
        report,
        diagnostics,
        ..
    } = merge_reports(&sources, &mains, reports);
    let text = match arguments.output.format {
        Format::Json => {
            let repository = Repository::enclosing(host.current_dir());
            let path_of = |path: &str| repository.path_of(path);
            coverage_json(&sources, &path_of, &report, &diagnostics)
        }
        Format::Text => {
            output::say(&render_diagnostics(
                &sources,
                &diagnostics,
                invocation.colours.stderr,
            ));
            let colour = invocation.colours.data(arguments.output.output.as_deref());
            coverage_text(&sources, &report, colour)
        }
    };
    output::write(arguments.output.output.as_deref(), &text)?;
    Ok(match is_missed(&report, arguments.min_coverage) {
        true => Exit::Inconclusive,
        false => Exit::Clean,
    })
}
