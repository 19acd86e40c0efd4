//! The environment of a run: the current folder, files, standard input, and a receiver of messages.
//!
//! A library neither prints nor reads the environment. Its caller passes a [`Host`]: the command one that writes to
//! standard error, a test one that records.

use premiss_source::{FileSystem, Files};
use std::io;
use std::path::Path;

/// The environment of a run, provided by the program that starts it.
pub trait Host: Sync {
    /// The folder that relative paths start from, absolute.
    fn current_dir(&self) -> &Path;

    /// The files that a run may read: those of its program, and what these name.
    fn files(&self) -> &dyn Files;

    /// Whether some files of the machine must not be read.
    fn is_confined(&self) -> bool {
        false
    }

    /// Receives a message that is no result, such as a note: one line, with its line break.
    fn message(&self, text: &str);

    /// Shows the progress of a run over `total` items until the returned value is dropped: `reading` so many `files`.
    fn progress(
        &self,
        activity: &'static str,
        items: &'static str,
        total: usize,
    ) -> Box<dyn Progress>;

    /// Reads standard input to its end, but no more than `limit` bytes.
    ///
    /// # Errors
    ///
    /// Standard input cannot be read.
    fn read_stdin(&self, limit: u64) -> io::Result<Vec<u8>>;
}

/// The progress display of a run. Any thread may advance it.
pub trait Progress: Sync {
    /// Shows that `done` items are done, if no more were before, and `item` is the last or the next.
    fn advance(&self, done: usize, activity: &'static str, item: &str);
}

/// A host without standard input that drops all messages.
#[derive(Clone, Copy, Debug)]
pub struct SilentHost<'a> {
    /// The folder that relative paths start from, absolute.
    pub current_dir: &'a Path,
}

/// A progress display that shows nothing.
struct NoProgress;

impl Host for SilentHost<'_> {
    fn current_dir(&self) -> &Path {
        self.current_dir
    }

    fn files(&self) -> &dyn Files {
        static ALL: FileSystem = FileSystem::unconfined();
        &ALL
    }

    fn message(&self, _: &str) {}

    fn progress(&self, _: &'static str, _: &'static str, _: usize) -> Box<dyn Progress> {
        Box::new(NoProgress)
    }

    fn read_stdin(&self, _: u64) -> io::Result<Vec<u8>> {
        Ok(Vec::new())
    }
}

impl Progress for NoProgress {
    fn advance(&self, _: usize, _: &'static str, _: &str) {}
}
