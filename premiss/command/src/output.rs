//! Output: data to standard output or a file, everything else to standard error.
//!
//! All that premiss writes passes here. Whatever is in it, it controls no terminal and commands no CI server.

use crate::arguments::ColourChoice;
use crate::failure::Failure;
use crate::progress;
use premiss_report::{Colour, log_text, visible};
use std::env;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a write to standard output failed because nobody reads it.
static READER_IS_GONE: AtomicBool = AtomicBool::new(false);

/// Which streams are coloured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Colours {
    pub(crate) stdout: Colour,
    pub(crate) stderr: Colour,
}

impl Colours {
    /// Whether data for a file, or for standard output if there is no file, is coloured: a file never is.
    pub(crate) fn data(self, file: Option<&str>) -> Colour {
        match file {
            Some(_) => Colour::Never,
            None => self.stdout,
        }
    }

    /// The option takes precedence over `NO_COLOR`, then `FORCE_COLOR` and `CLICOLOR_FORCE`, then `TERM=dumb`, then
    /// whether the stream is a terminal.
    pub(crate) fn new(choice: ColourChoice) -> Self {
        let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        let forced = |name| is_set(name) && env::var_os(name).is_some_and(|value| value != "0");
        let environment = Environment {
            no_color: is_set("NO_COLOR"),
            force_color: forced("FORCE_COLOR") || forced("CLICOLOR_FORCE"),
            dumb: env::var_os("TERM").is_some_and(|value| value == "dumb"),
        };
        Self {
            stdout: environment.decide(choice, io::stdout().is_terminal()),
            stderr: environment.decide(choice, io::stderr().is_terminal()),
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Environment {
    no_color: bool,
    force_color: bool,
    dumb: bool,
}

impl Environment {
    fn decide(self, choice: ColourChoice, is_terminal: bool) -> Colour {
        let wanted = match choice {
            ColourChoice::Always => true,
            ColourChoice::Never => false,
            ColourChoice::Auto if self.no_color => false,
            ColourChoice::Auto if self.force_color => true,
            ColourChoice::Auto => !self.dumb && is_terminal,
        };
        if wanted {
            Colour::Always
        } else {
            Colour::Never
        }
    }
}

/// Writes data to a file, or to standard output if there is none. A reader of standard output that is gone wants no more
/// of the data, but the run still has its exit code.
pub(crate) fn write(file: Option<&str>, text: &str) -> Result<(), Failure> {
    match file {
        Some(path) => write_file(path, text),
        None => write_stdout(&log_text(text, Colour::Always)),
    }
}

/// Writes commands for GitHub, in which what is from others is escaped.
pub(crate) fn write_commands(file: Option<&str>, commands: &str) -> Result<(), Failure> {
    match file {
        Some(path) => write_file(path, commands),
        None => write_stdout(&visible(commands)),
    }
}

fn write_file(path: &str, text: &str) -> Result<(), Failure> {
    let written = fs::write(path, visible(text).as_bytes());
    written.map_err(|error| Failure::file(path, &error))
}

fn write_stdout(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes());
    match written.and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            READER_IS_GONE.store(true, Ordering::Relaxed);
            Ok(())
        }
        written => written.map_err(|error| stdout_failure(&error)),
    }
}

/// Whether data could not be written to standard output because its reader is gone.
pub(crate) fn reader_is_gone() -> bool {
    READER_IS_GONE.load(Ordering::Relaxed)
}

/// Adds Markdown to the summary of a GitHub workflow step, if this is one.
pub(crate) fn summarise_step(markdown: &str) -> Result<(), Failure> {
    let Some(path) = env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let file = fs::OpenOptions::new().append(true).create(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(visible(markdown).as_bytes()));
    written.map_err(|error| Failure::file(&path.to_string_lossy(), &error))
}

/// Writes a message that is not data to standard error.
pub(crate) fn say(text: &str) {
    progress::say(&log_text(text, Colour::Always));
}

pub(crate) fn stdout_failure(error: &io::Error) -> Failure {
    Failure::File(format!("standard output: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_follows_the_strongest_wish() {
        let environment = |no_color, force_color, dumb| Environment {
            no_color,
            force_color,
            dumb,
        };
        let auto = ColourChoice::Auto;
        let always = environment(true, false, true).decide(ColourChoice::Always, false);
        assert_eq!(always, Colour::Always);
        let never = environment(false, true, false).decide(ColourChoice::Never, true);
        assert_eq!(never, Colour::Never);
        assert_eq!(
            environment(true, true, false).decide(auto, true),
            Colour::Never
        );
        assert_eq!(
            environment(false, true, true).decide(auto, false),
            Colour::Always
        );
        assert_eq!(
            environment(false, false, true).decide(auto, true),
            Colour::Never
        );
        assert_eq!(
            environment(false, false, false).decide(auto, true),
            Colour::Always
        );
        assert_eq!(
            environment(false, false, false).decide(auto, false),
            Colour::Never
        );
    }
}
