//! The verdict on a check: findings in the baseline are held back, the others are written and determine the exit code.

use super::baseline_file;
use super::min_coverage::is_missed;
use crate::arguments::JudgingArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{self, Colours};
use crate::targets::Target;
use premiss_analyze::{ESTIMATED, SAMPLED, SHARED_BUDGET};
use premiss_check::{CheckedProgram, OutputForm, ShardRecord};
use premiss_gate::{Baseline, formats, hold_back, open_rule};

/// The inputs of the verdict besides the findings.
pub(super) struct Judge<'a> {
    arguments: &'a JudgingArguments,
    targets: Vec<Target>,
    baseline: Option<Baseline>,
}

impl<'a> Judge<'a> {
    /// The judge for these options and this machine.
    ///
    /// # Errors
    ///
    /// Two forms go to the same place, or the baseline cannot be read or is for another machine.
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

    /// Whether the findings are written for people.
    pub(super) fn writes_text(&self) -> bool {
        let mut targets = self.targets.iter();
        targets.any(|target| target.form == OutputForm::Text)
    }

    /// Writes the findings, and returns the exit code.
    ///
    /// # Errors
    ///
    /// Some output cannot be written.
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
        is_open |= is_estimated(&checked);
        for target in &targets {
            let colour = colours.data(target.file.as_deref());
            let text = checked.render(target.form, arguments.baseline.as_deref(), colour);
            write(&checked, target, &text)?;
        }
        if checked.has_findings() && targets.iter().all(|x| x.form == OutputForm::Callgrind) {
            output::say(
                "premiss: there are findings, which a profile does not tell: --format text,callgrind:FILE prints them\n",
            );
        }
        Ok(match checked.has_findings() {
            true if !arguments.exit_zero => Exit::Findings,
            _ if is_open => Exit::Inconclusive,
            _ => Exit::Clean,
        })
    }
}

/// Whether something is undecided as misses are estimated without an interval in some function, the interval of a sample reaches
/// over a limit, or a share of the budget did not suffice; prints a message then, and where samples decided.
pub(super) fn is_estimated(checked: &CheckedProgram) -> bool {
    let number = |code: &str| {
        let diagnostics = checked.diagnostics.iter();
        let n_functions = diagnostics.filter(|x| x.code == code).count();
        match n_functions {
            1 => (1, "function is"),
            n => (n, "functions are"),
        }
    };
    let (estimated, what) = number(ESTIMATED);
    if 0 < estimated {
        output::say(&format!(
            "premiss: {estimated} {what} estimated, not counted, and rules judge counts alone: --exact counts on\n"
        ));
    }
    let (sampled, what) = number(SAMPLED);
    if 0 < sampled {
        output::say(&format!(
            "premiss: {sampled} {what} estimated from samples in some levels: findings by these hold with a probability of 95 %; \
             --exact counts on\n"
        ));
    }
    let open = checked.diagnostics.iter();
    let open = open.filter(|x| open_rule(x.code).is_some()).count();
    if 0 < open {
        output::say(&format!(
            "premiss: intervals of samples reach over the limits of rules at {open} {}, which --exact decides, or --effort or \
             --budget with more steps\n",
            if open == 1 { "place" } else { "places" }
        ));
    }
    let (shared, what) = number(SHARED_BUDGET);
    if 0 < shared {
        output::say(&format!(
            "premiss: {shared} {what} not counted to the end, as the functions of a run share its budget: --exact or \
             --budget counts each by itself, or check fewer files\n"
        ));
    }
    0 < estimated + open + shared
}

/// The targets of the output.
///
/// # Errors
///
/// Two forms go to the same place, or one is not a form of findings.
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

/// Writes the results of a shard as JSON, with the record for merging.
///
/// # Errors
///
/// The output cannot be written.
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
    match form {
        OutputForm::Github => output::write_commands(file.as_deref(), text)?,
        _ => output::write(file.as_deref(), text)?,
    }
    if *form == OutputForm::Github && 0 < formats::without_annotation(&checked.results) {
        output::summarise_step(&formats::markdown(&checked.results))?;
    }
    Ok(())
}
