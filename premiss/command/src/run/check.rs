//! `premiss check`

mod kept;
mod look;
mod record;

use self::kept::look_or_recall;
use self::look::Found;
use super::selection::open_below;
use crate::arguments::CheckArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::output::{self, Colours};
use crate::profile::Profiles;
use crate::repository::Repository;
use crate::targets::{Form, Target};
use clap::ArgMatches;
use premiss_analyze::{MeasureOptions, Wanted};
use premiss_gate::formats::{self, Conditions, Results};
use premiss_machine::Machine;
use premiss_report::{coverage_json, coverage_summary, render_diagnostics};
use premiss_source::{Diagnostic, Severity, SourceMap};

pub(crate) fn run(
    arguments: &CheckArguments,
    matches: &ArgMatches,
    colours: Colours,
) -> Result<Exit, Failure> {
    let targets = arguments.output.targets()?;
    let reading = flags::reading(&arguments.reading, matches)?;
    let measuring = MeasureOptions {
        wanted: Wanted::Misses,
        ..flags::measuring(&arguments.measuring)?
    };
    let profile = Profiles::read(&arguments.profile.profile)?;
    let mut sources = SourceMap::new();
    let opened = open_below(
        &mut sources,
        &arguments.input,
        (&arguments.reading, &reading),
    )?;
    let found = look_or_recall(&mut sources, &opened, &measuring, &profile)?;
    write(&sources, found, &measuring.machine, &targets, colours).map(|exit| {
        match arguments.exit_zero {
            true => Exit::Clean,
            false => exit,
        }
    })
}

/// Writes what was found in every form that is asked for.
fn write(
    sources: &SourceMap,
    found: Found,
    machine: &Machine,
    targets: &[Target],
    colours: Colours,
) -> Result<Exit, Failure> {
    if 0 < found.silenced {
        let silenced = found.silenced;
        output::say(&format!("note: comments silence {silenced} findings\n"));
    }
    let current = std::env::current_dir().map_err(|error| Failure::file(".", &error))?;
    let repository = Repository::around(&current);
    let path_of = |path: &str| repository.path_of(path);
    let conditions = Conditions {
        machine: machine.name().to_owned(),
        machine_id: machine.id(),
        coverage: coverage_summary(&found.report.nests).trim_end().to_owned(),
    };
    let results = Results::new(
        sources,
        &path_of,
        &found.findings,
        &found.diagnostics,
        conditions,
    );
    let findings = found.findings.into_iter().map(|finding| finding.diagnostic);
    let diagnostics: Vec<Diagnostic> = findings.chain(found.diagnostics).collect();
    for Target { form, file } in targets {
        let file = file.as_deref();
        let text = match form {
            Form::Json => coverage_json(sources, &found.report, &diagnostics),
            Form::Text => {
                let text = render_diagnostics(sources, &diagnostics, colours.data(file));
                text + &coverage_summary(&found.report.nests)
            }
            Form::Sarif => formats::sarif(&results),
            Form::Github => formats::github(&results),
            Form::Gitlab => formats::gitlab(&results),
            Form::Junit => formats::junit(&results),
            Form::Markdown => formats::markdown(&results),
        };
        output::write(file, &text)?;
        if *form == Form::Github && 0 < formats::without_annotation(&results) {
            output::summarise_step(&formats::markdown(&results))?;
        }
    }
    let is_finding = |diagnostic: &Diagnostic| Severity::Note < diagnostic.severity;
    Ok(match diagnostics.iter().any(is_finding) {
        true => Exit::Findings,
        false => Exit::Clean,
    })
}
