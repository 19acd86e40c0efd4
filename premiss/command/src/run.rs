//! The subcommands.

mod baseline;
mod baseline_file;
mod check;
mod check_request;
mod completeness;
mod coverage;
mod diff;
mod dump;
mod emit;
mod explain;
mod formula;
mod formula_request;
mod init;
mod judge;
mod left_out_levels;
mod machine;
mod merge;
mod min_coverage;
mod report;
mod report_formulas;
mod roofline;
mod schema;
mod shell;
mod sweep;
mod trace;
mod watch;

use crate::arguments::{Arguments, Command};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::host::CommandHost;
use crate::invocation::Invocation;
use crate::output::{self, Colours};
use crate::settings;
use clap::ArgMatches;

/// Runs the subcommand of the command line.
pub(crate) fn run(mut arguments: Arguments, matches: &ArgMatches) -> Result<Exit, Failure> {
    let colours = Colours::new(arguments.color);
    let inner = std::iter::successors(Some(matches), |x| x.subcommand().map(|(_, inner)| inner));
    let matches = inner.last().unwrap_or(matches);
    let host = match arguments.untrusted {
        true => CommandHost::new()?.confined(matches)?,
        false => CommandHost::new()?,
    };
    let in_force = settings::apply(&mut arguments, matches, &host, colours.stderr)?;
    if arguments.show_settings {
        output::write(None, &in_force)?;
        return Ok(Exit::Clean);
    }
    let invocation = Invocation {
        matches,
        colours,
        host: &host,
    };
    match &arguments.command {
        Command::Merge(arguments) => merge::run(arguments, invocation),
        Command::Report(arguments) => report::run(arguments, invocation),
        Command::Check(arguments) if arguments.watch => {
            watch::watch(&arguments.subject.input.paths, || {
                check::run(arguments, invocation)
            })
        }
        Command::Check(arguments) => check::run(arguments, invocation),
        Command::Baseline { command } => baseline::run(command, invocation),
        Command::Completions { shell } => shell::completions(*shell),
        Command::Init => init::run(),
        Command::Man { command } => shell::manual(command.as_deref()),
        Command::Schema { name } => schema::run(name.as_deref()),
        Command::Coverage(arguments) => coverage::run(arguments, invocation),
        Command::Diff(arguments) => diff::run(arguments, invocation),
        Command::Dump(arguments) => dump::run(arguments, invocation),
        Command::Explain(arguments) => explain::run(arguments, invocation),
        Command::Formula(arguments) => formula::run(arguments, invocation),
        Command::Machine { command } => machine::run(command),
        Command::Roofline(arguments) => roofline::run(arguments, invocation),
        Command::Sweep(arguments) => sweep::run(arguments, invocation),
        Command::Trace(arguments) => trace::run(arguments, invocation),
    }
}
