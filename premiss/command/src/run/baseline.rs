//! `premiss baseline`

use super::baseline_file;
use super::check_request::CheckOptions;
use super::judge::is_estimated;
use crate::arguments::{BaselineArguments, BaselineCommand};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::invocation::Invocation;
use crate::output;
use premiss_check::{CheckedProgram, check};
use premiss_gate::{Baseline, PruneCounts};

/// The default file.
const DEFAULT: &str = "premiss-baseline.json";

pub(crate) fn run(command: &BaselineCommand, invocation: Invocation<'_>) -> Result<Exit, Failure> {
    match command {
        BaselineCommand::Write(arguments) => write(arguments, invocation),
        BaselineCommand::Prune(arguments) => prune(arguments, invocation),
    }
}

fn write(arguments: &BaselineArguments, invocation: Invocation<'_>) -> Result<Exit, Failure> {
    let options = CheckOptions::new(&arguments.subject, invocation)?;
    let (checked, _writer) = check(&options.request(&arguments.subject, invocation)?)?;
    is_estimated(&checked);
    let baseline = Baseline::new(&checked.results, &checked.coverage);
    let file = file(arguments);
    output::write(Some(file), &baseline.to_json())?;
    let n = baseline.len();
    let findings = if n == 1 { "finding" } else { "findings" };
    output::say(&format!("premiss: `{file}` has {n} {findings}\n"));
    Ok(Exit::Clean)
}

fn prune(arguments: &BaselineArguments, invocation: Invocation<'_>) -> Result<Exit, Failure> {
    let machine = flags::measuring(&arguments.subject.measuring)?.machine;
    let file = file(arguments);
    let mut baseline = baseline_file::read(file, &machine.id())?;
    let options = CheckOptions::new(&arguments.subject, invocation)?;
    let (checked, _writer) = check(&options.request(&arguments.subject, invocation)?)?;
    let CheckedProgram {
        results,
        files,
        repository,
        ..
    } = checked;
    let is_checked =
        |path: Option<&str>| path.is_none_or(|path| files.contains(path) || !repository.has(path));
    let PruneCounts {
        removed,
        lowered,
        left,
    } = baseline.prune(&results, &is_checked);
    if removed + lowered != 0 {
        output::write(Some(file), &baseline.to_json())?;
    }
    output::say(&format!(
        "premiss: `{file}`: {removed} removed, {lowered} lowered, {left} left\n"
    ));
    Ok(Exit::Clean)
}

fn file(arguments: &BaselineArguments) -> &str {
    arguments.baseline.as_deref().unwrap_or(DEFAULT)
}
