//! `premiss completions` and `premiss man`

use crate::arguments::Arguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use premiss_check::suggest;

pub(crate) fn completions(shell: Shell) -> Result<Exit, Failure> {
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "premiss", &mut bytes);
    write(&bytes)
}

/// The page of the whole program, or of one command.
pub(crate) fn manual(command: Option<&str>) -> Result<Exit, Failure> {
    let mut whole = Arguments::command();
    whole.build();
    let page = match command {
        None => whole,
        Some(name) => {
            let names = whole.get_subcommands().map(Command::get_name);
            let nearest = suggest(name, names);
            let refuse = || Failure::usage(format!("premiss has no command `{name}`{nearest}"));
            let own = whole.find_subcommand(name).ok_or_else(refuse)?;
            own.clone()
        }
    };
    // The version is that of the whole program, and there is no date, so that two runs do not differ.
    let page = page.version(env!("CARGO_PKG_VERSION"));
    let mut bytes = Vec::new();
    let written = clap_mangen::Man::new(page).render(&mut bytes);
    written.map_err(|error| Failure::File(format!("the manual page: {error}")))?;
    write(&bytes)
}

fn write(bytes: &[u8]) -> Result<Exit, Failure> {
    output::write(None, &String::from_utf8_lossy(bytes))?;
    Ok(Exit::Clean)
}
