//! The host of the engines: the current folder, standard input, standard error, and a progress line.

use crate::failure::Failure;
use crate::output;
use crate::progress::ProgressLine;
use premiss_check::{Host, Progress};
use std::env;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The command as a host of the engines.
#[derive(Debug)]
pub(crate) struct CommandHost {
    current_dir: PathBuf,
}

impl CommandHost {
    /// The host in the current folder.
    ///
    /// # Errors
    ///
    /// The current folder does not exist any more.
    pub(crate) fn new() -> Result<Self, Failure> {
        let current_dir = env::current_dir().map_err(|error| Failure::file(".", &error))?;
        Ok(Self { current_dir })
    }
}

impl Host for CommandHost {
    fn current_dir(&self) -> &Path {
        &self.current_dir
    }

    fn message(&self, text: &str) {
        output::say(text);
    }

    fn progress(&self, activity: &'static str, total: usize) -> Box<dyn Progress> {
        Box::new(ProgressLine::new(activity, total))
    }

    fn read_stdin(&self, limit: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        io::stdin().take(limit).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}
