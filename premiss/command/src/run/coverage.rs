//! `premiss coverage`

use super::min_coverage::is_missed;
use crate::arguments::{CoverageArguments, Format};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::invocation::Invocation;
use crate::output;
use premiss_analyze::{Omission, ReadOptions, omission};
use premiss_check::{
    FileList, FileReport, Host as _, ProgramReport, Repository, merge_reports, open_below,
    read_each,
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
    if arguments.input.show_files {
        output::write(None, &FileList::new(&request)?.text())?;
        return Ok(Exit::Clean);
    }
    let opened = open_below(&mut sources, &request)?;
    let progress = host.progress("reading", "files", opened.files.len());
    read_each(
        &mut sources,
        &opened,
        host,
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
        mut diagnostics,
        ..
    } = merge_reports(&sources, &mains, reports);
    opened.add_diagnostics(&mut diagnostics);
    let is_unread = diagnostics
        .iter()
        .any(|x| omission(x) == Some(Omission::Text));
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
    let is_missed = is_missed(&report, arguments.min_coverage);
    Ok(match is_missed || is_unread {
        true => Exit::Inconclusive,
        false => Exit::Clean,
    })
}
