//! `premiss baseline`

use super::check::{Checked, checked};
use crate::arguments::{BaselineArguments, BaselineCommand};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::output;
use clap::ArgMatches;
use premiss_gate::{Baseline, PruneCounts};
use std::fs;
use std::io;

/// The file where none is named.
const DEFAULT: &str = "premiss-baseline.json";

pub(crate) fn run(command: &BaselineCommand, matches: &ArgMatches) -> Result<Exit, Failure> {
    match command {
        BaselineCommand::Write(arguments) => write(arguments, matches),
        BaselineCommand::Prune(arguments) => prune(arguments, matches),
    }
}

/// What is known on a machine.
///
/// # Errors
///
/// There is no such file, or it is of another machine: nothing can be said then. It cannot be read.
pub(super) fn read(file: &str, machine: &str) -> Result<Baseline, Failure> {
    let bytes = fs::read(file).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failure::Inconclusive(format!(
            "`{file}`: there is no such baseline; `premiss baseline write` with the same paths and options \
             makes one"
        )),
        _ => Failure::file(file, &error),
    })?;
    let refuse = |why: String| Failure::File(format!("`{file}`: it is no baseline: {why}"));
    let text = String::from_utf8(bytes).map_err(|_| refuse("it is no UTF-8 text".to_owned()))?;
    let baseline = Baseline::from_json(&text).map_err(refuse)?;
    match baseline.machine() == machine {
        true => Ok(baseline),
        false => Err(Failure::Inconclusive(format!(
            "`{file}`: it is of the machine {}, and this is {machine}; choose that one with --machine, or write \
             the baseline anew",
            baseline.machine()
        ))),
    }
}

fn write(arguments: &BaselineArguments, matches: &ArgMatches) -> Result<Exit, Failure> {
    let (checked, _keeping) = checked(&arguments.subject, matches)?;
    let baseline = Baseline::new(&checked.results, &checked.coverage);
    let file = file(arguments);
    output::write(Some(file), &baseline.to_json())?;
    let n = baseline.len();
    let findings = if n == 1 { "finding" } else { "findings" };
    output::say(&format!("premiss: `{file}` has {n} {findings}\n"));
    Ok(Exit::Clean)
}

fn prune(arguments: &BaselineArguments, matches: &ArgMatches) -> Result<Exit, Failure> {
    let machine = flags::measuring(&arguments.subject.measuring)?.machine;
    let file = file(arguments);
    let mut baseline = read(file, &machine.id())?;
    let (checked, _keeping) = checked(&arguments.subject, matches)?;
    let Checked {
        results,
        files,
        repository,
        ..
    } = checked;
    let is_looked_at =
        |path: Option<&str>| path.is_none_or(|path| files.contains(path) || !repository.has(path));
    let PruneCounts {
        removed,
        lowered,
        left,
    } = baseline.prune(&results, &is_looked_at);
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
