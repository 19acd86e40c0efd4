//! The inputs of every subcommand besides its arguments.

use crate::host::CommandHost;
use crate::output::Colours;
use clap::ArgMatches;

/// One run of the command.
#[derive(Clone, Copy)]
pub(crate) struct Invocation<'a> {
    /// The matches of the subcommand, which have the order of options.
    pub(crate) matches: &'a ArgMatches,
    pub(crate) colours: Colours,
    pub(crate) host: &'a CommandHost,
}
