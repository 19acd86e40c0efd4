//! The verdict on what was found: what a baseline knows is held back, the rest is written, and decides the exit code.

use super::checked::Checked;
use super::part::PartRecord;
use crate::arguments::JudgingArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{self, Colours};
use crate::run::baseline;
use crate::run::coverage::is_missed;
use crate::targets::{Form, Target};
use premiss_gate::{Baseline, formats, hold_back};
use premiss_report::{coverage_json, coverage_summary, part_json, render_diagnostics};
use premiss_source::{Diagnostic, Severity};

/// What a check is judged by.
pub(crate) struct Judge<'a> {
    arguments: &'a JudgingArguments,
    targets: Vec<Target>,
    known: Option<Baseline>,
}

impl<'a> Judge<'a> {
    /// By options, on a machine.
    ///
    /// # Errors
    ///
    /// Two forms go to one place, or there is no baseline to be read, or one of another machine.
    pub(crate) fn new(arguments: &'a JudgingArguments, machine_id: &str) -> Result<Self, Failure> {
        let targets = targets(arguments)?;
        let known = arguments.baseline.as_deref();
        let known = known.map(|file| baseline::read(file, machine_id));
        Ok(Self {
            arguments,
            targets,
            known: known.transpose()?,
        })
    }

    /// Writes what was found, and says how that ends.
    ///
    /// # Errors
    ///
    /// Something cannot be written.
    pub(crate) fn judge(self, mut checked: Checked, colours: Colours) -> Result<Exit, Failure> {
        let Self {
            arguments,
            targets,
            known,
        } = self;
        let mut is_open = false;
        if let Some(known) = known {
            let statuses = known.statuses(&checked.results);
            hold_back(&mut checked.results, &mut checked.diagnostics, &statuses);
            checked.report.held_back = checked.results.conditions().held_back;
            let is_gone = |path: &str| !checked.repository.has(path);
            if let Some(fall) = known.fall(&checked.coverage, &is_gone) {
                output::say(&format!("premiss: {fall}\n"));
                is_open = true;
            }
        }
        is_open |= is_missed(&checked.report, arguments.min_coverage);
        for target in &targets {
            let text = text(&checked, target, arguments.baseline.as_deref(), colours);
            write(&checked, target, &text)?;
        }
        let is_finding = |diagnostic: &Diagnostic| Severity::Note < diagnostic.severity;
        Ok(match checked.diagnostics.iter().any(is_finding) {
            true if !arguments.exit_zero => Exit::Findings,
            _ if is_open => Exit::Inconclusive,
            _ => Exit::Clean,
        })
    }
}

/// Where what is found goes.
///
/// # Errors
///
/// Two forms go to one place, or one is none of findings.
pub(super) fn targets(arguments: &JudgingArguments) -> Result<Vec<Target>, Failure> {
    let targets = arguments.output.targets()?;
    match targets.iter().any(|target| target.form == Form::Html) {
        true => Err(Failure::usage(
            "--format html: findings have no page; `premiss report` writes one of a program, `premiss diff` one of a \
             comparison",
        )),
        false => Ok(targets),
    }
}

/// Writes what a shard found, in JSON with what merging needs of it.
///
/// # Errors
///
/// Something cannot be written.
pub(super) fn write_part(
    checked: &Checked,
    part: &PartRecord,
    targets: &[Target],
    colours: Colours,
) -> Result<(), Failure> {
    for target in targets {
        let Checked {
            sources,
            report,
            diagnostics,
            ..
        } = checked;
        let text = match target.form {
            Form::Json => {
                let path_of = |path: &str| checked.repository.path_of(path);
                part_json(sources, &path_of, report, diagnostics, part)
            }
            _ => text(checked, target, None, colours),
        };
        write(checked, target, &text)?;
    }
    Ok(())
}

fn text(
    checked: &Checked,
    Target { form, file }: &Target,
    baseline: Option<&str>,
    colours: Colours,
) -> String {
    let Checked {
        sources,
        diagnostics,
        results,
        report,
        ..
    } = checked;
    let path_of = |path: &str| checked.repository.path_of(path);
    match form {
        Form::Json => coverage_json(sources, &path_of, report, diagnostics),
        Form::Text => {
            let text = render_diagnostics(sources, diagnostics, colours.data(file.as_deref()));
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
            let machine = &checked.machine;
            checked.profile.text(&machine.id, &machine.levels, &path_of)
        }
        // None of findings: refused before anything is read.
        Form::Html => String::new(),
    }
}

fn write(checked: &Checked, Target { form, file }: &Target, text: &str) -> Result<(), Failure> {
    output::write(file.as_deref(), text)?;
    if *form == Form::Github && 0 < formats::without_annotation(&checked.results) {
        output::summarise_step(&formats::markdown(&checked.results))?;
    }
    Ok(())
}
