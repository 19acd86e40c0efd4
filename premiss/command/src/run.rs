//! The subcommands.

mod baseline;
mod check;
mod coverage;
mod derivations;
mod diff;
mod emit;
mod explain;
mod formula;
mod gathered;
mod init;
mod machine;
mod merge;
mod report;
mod roofline;
mod schema;
mod selection;
mod shell;
mod sweep;
mod trace;
mod watch;

use crate::arguments::{Arguments, Command};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{self, Colours};
use crate::settings;
use clap::ArgMatches;

/// Does what the command line asks for.
pub(crate) fn run(mut arguments: Arguments, matches: &ArgMatches) -> Result<Exit, Failure> {
    let colours = Colours::new(arguments.color);
    let inner = std::iter::successors(Some(matches), |x| x.subcommand().map(|(_, inner)| inner));
    let matches = inner.last().unwrap_or(matches);
    let in_force = settings::apply(&mut arguments, matches, colours.stderr)?;
    if arguments.show_settings {
        output::write(None, &in_force)?;
        return Ok(Exit::Clean);
    }
    match &arguments.command {
        Command::Merge(arguments) => merge::run(arguments, colours),
        Command::Report(arguments) => report::run(arguments, matches, colours),
        Command::Check(arguments) if arguments.watch => {
            watch::watch(&arguments.subject.input.paths, || {
                check::run(arguments, matches, colours)
            })
        }
        Command::Check(arguments) => check::run(arguments, matches, colours),
        Command::Baseline { command } => baseline::run(command, matches),
        Command::Completions { shell } => shell::completions(*shell),
        Command::Init => init::run(),
        Command::Man { command } => shell::manual(command.as_deref()),
        Command::Schema { name } => schema::run(name.as_deref()),
        Command::Coverage(arguments) => coverage::run(arguments, matches, colours),
        Command::Diff(arguments) => diff::run(arguments, matches, colours),
        Command::Explain(arguments) => explain::run(arguments, matches, colours),
        Command::Formula(arguments) => formula::run(arguments, matches, colours),
        Command::Machine { command } => machine::run(command),
        Command::Roofline(arguments) => roofline::run(arguments, matches, colours),
        Command::Sweep(arguments) => sweep::run(arguments, matches, colours),
        Command::Trace(arguments) => trace::run(arguments, matches, colours),
    }
}
