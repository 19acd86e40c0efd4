//! The subcommands.

mod check;
mod coverage;
mod diff;
mod emit;
mod explain;
mod formula;
mod gathered;
mod machine;
mod report;
mod roofline;
mod selection;
mod sweep;
mod trace;
mod watch;

use crate::arguments::{Arguments, Command};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Colours;
use clap::ArgMatches;

/// Does what the command line asks for.
pub(crate) fn run(arguments: &Arguments, matches: &ArgMatches) -> Result<Exit, Failure> {
    let colours = Colours::new(arguments.color);
    let matches = matches.subcommand().map_or(matches, |(_, inner)| inner);
    match &arguments.command {
        Command::Report(arguments) => report::run(arguments, matches, colours),
        Command::Check(arguments) if arguments.watch => {
            watch::watch(&arguments.input.paths, || {
                check::run(arguments, matches, colours)
            })
        }
        Command::Check(arguments) => check::run(arguments, matches, colours),
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
