//! `premiss check`

mod checked;
mod kept;
mod look;
mod record;
mod texts;

pub(crate) use checked::{Checked, checked};

use super::baseline;
use super::coverage::is_missed;
use crate::arguments::CheckArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::output::{self, Colours};
use crate::targets::{Form, Target};
use clap::ArgMatches;
use premiss_gate::formats;
use premiss_gate::hold_back;
use premiss_report::{coverage_json, coverage_summary, render_diagnostics};
use premiss_source::{Diagnostic, Severity};

pub(crate) fn run(
    arguments: &CheckArguments,
    matches: &ArgMatches,
    colours: Colours,
) -> Result<Exit, Failure> {
    let targets = arguments.output.targets()?;
    if targets.iter().any(|target| target.form == Form::Html) {
        return Err(Failure::usage(
            "--format html: findings have no page; `premiss report` writes one of a program, `premiss diff` one of a \
             comparison",
        ));
    }
    let known = match &arguments.baseline {
        Some(file) => {
            let machine = flags::measuring(&arguments.subject.measuring)?.machine;
            Some(baseline::read(file, &machine.id())?)
        }
        None => None,
    };
    let mut checked = checked(&arguments.subject, matches)?;
    let mut is_open = false;
    if let Some(known) = known {
        let standings = known.standings(&checked.results);
        hold_back(&mut checked.results, &mut checked.diagnostics, &standings);
        checked.report.held_back = checked.results.conditions().held_back;
        let is_gone = |path: &str| !checked.repository.has(path);
        if let Some(fall) = known.fall(&checked.coverage, &is_gone) {
            output::say(&format!("premiss: {fall}\n"));
            is_open = true;
        }
    }
    is_open |= is_missed(&checked.report, arguments.min_coverage);
    for target in &targets {
        write(&checked, target, arguments.baseline.as_deref(), colours)?;
    }
    let is_finding = |diagnostic: &Diagnostic| Severity::Note < diagnostic.severity;
    Ok(match checked.diagnostics.iter().any(is_finding) {
        true if !arguments.exit_zero => Exit::Findings,
        _ if is_open => Exit::Inconclusive,
        _ => Exit::Clean,
    })
}

fn write(
    checked: &Checked,
    Target { form, file }: &Target,
    baseline: Option<&str>,
    colours: Colours,
) -> Result<(), Failure> {
    let file = file.as_deref();
    let Checked {
        sources,
        diagnostics,
        results,
        report,
        ..
    } = checked;
    let text = match form {
        Form::Json => coverage_json(sources, report, diagnostics),
        Form::Text => {
            let text = render_diagnostics(sources, diagnostics, colours.data(file));
            let known = results.held_back().zip(baseline);
            let known = known.map(|(known, file)| format!("Baseline {file}: {known}\n"));
            text + &known.unwrap_or_default() + &coverage_summary(&report.nests)
        }
        Form::Sarif => formats::sarif(results),
        Form::Github => formats::github(results),
        Form::Gitlab => formats::gitlab(results),
        Form::Junit => formats::junit(results),
        Form::Markdown => formats::markdown(results),
        Form::Callgrind => {
            let path_of = |path: &str| checked.repository.path_of(path);
            checked.profile.text(&checked.machine, &path_of)
        }
        // Refused before anything is read.
        Form::Html => return Ok(()),
    };
    output::write(file, &text)?;
    if *form == Form::Github && 0 < formats::without_annotation(results) {
        output::summarise_step(&formats::markdown(results))?;
    }
    Ok(())
}
