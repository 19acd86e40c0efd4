//! The verdict on a check: findings that a baseline has are held back, the others are written and decide the exit code.

use super::baseline_file;
use super::min_coverage::is_missed;
use crate::arguments::JudgingArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{self, Colours};
use crate::targets::Target;
use premiss_check::{CheckedProgram, OutputForm, ShardRecord};
use premiss_gate::{Baseline, formats, hold_back};

/// What the verdict depends on besides the findings.
pub(super) struct Judge<'a> {
    arguments: &'a JudgingArguments,
    targets: Vec<Target>,
    baseline: Option<Baseline>,
}

impl<'a> Judge<'a> {
    /// By options, on a machine.
    ///
    /// # Errors
    ///
    /// Two forms go to one place, or there is no baseline to be read, or one of another machine.
    pub(super) fn new(arguments: &'a JudgingArguments, machine_id: &str) -> Result<Self, Failure> {
        let targets = targets(arguments)?;
        let baseline = arguments.baseline.as_deref();
        let baseline = baseline.map(|file| baseline_file::read(file, machine_id));
        Ok(Self {
            arguments,
            targets,
            baseline: baseline.transpose()?,
        })
    }

    /// Writes what was found, and says how that ends.
    ///
    /// # Errors
    ///
    /// Something cannot be written.
    pub(super) fn judge(
        self,
        mut checked: CheckedProgram,
        colours: Colours,
    ) -> Result<Exit, Failure> {
        let Self {
            arguments,
            targets,
            baseline,
        } = self;
        let mut is_open = false;
        if let Some(baseline) = baseline {
            let statuses = baseline.statuses(&checked.results);
            hold_back(&mut checked.results, &mut checked.diagnostics, &statuses);
            checked.report.held_back = checked.results.conditions().held_back;
            let is_gone = |path: &str| !checked.repository.has(path);
            if let Some(fall) = baseline.fall(&checked.coverage, &is_gone) {
                output::say(&format!("premiss: {fall}\n"));
                is_open = true;
            }
        }
        is_open |= is_missed(&checked.report, arguments.min_coverage);
        for target in &targets {
            let colour = colours.data(target.file.as_deref());
            let text = checked.render(target.form, arguments.baseline.as_deref(), colour);
            write(&checked, target, &text)?;
        }
        Ok(match checked.has_findings() {
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
    match targets.iter().any(|target| target.form == OutputForm::Html) {
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
pub(super) fn write_shard(
    checked: &CheckedProgram,
    record: &ShardRecord,
    targets: &[Target],
    colours: Colours,
) -> Result<(), Failure> {
    for target in targets {
        let text = match target.form {
            OutputForm::Json => checked.shard_json(record),
            form => checked.render(form, None, colours.data(target.file.as_deref())),
        };
        write(checked, target, &text)?;
    }
    Ok(())
}

fn write(
    checked: &CheckedProgram,
    Target { form, file }: &Target,
    text: &str,
) -> Result<(), Failure> {
    output::write(file.as_deref(), text)?;
    if *form == OutputForm::Github && 0 < formats::without_annotation(&checked.results) {
        output::summarise_step(&formats::markdown(&checked.results))?;
    }
    Ok(())
}
