//! What a run needs of the program that started it: its folder, standard input, and somebody to talk to.
//!
//! A library neither prints nor reads the environment. Whoever calls it hands in a [`Host`]: the command one that
//! writes to standard error, a test one that listens.

use std::io;
use std::path::Path;

/// The program that started a run.
pub trait Host: Sync {
    /// The folder that relative paths start from, absolute.
    fn current_dir(&self) -> &Path;

    /// Passes on a message that is no result, such as a note: one line, with its line break.
    fn message(&self, text: &str);

    /// Shows how far a run over `total` files has come, until the result is dropped; `activity` is what is done with
    /// them first: `reading`.
    fn progress(&self, activity: &'static str, total: usize) -> Box<dyn Progress>;

    /// All of standard input, but no more than `limit` bytes.
    ///
    /// # Errors
    ///
    /// It cannot be read.
    fn read_stdin(&self, limit: u64) -> io::Result<Vec<u8>>;
}

/// How far a run has come.
pub trait Progress {
    /// `done` files are done, and `item` is next.
    fn advance(&self, done: usize, activity: &'static str, item: &str);
}

/// A host that has no standard input and drops all messages.
#[derive(Clone, Copy, Debug)]
pub struct SilentHost<'a> {
    /// The folder that relative paths start from, absolute.
    pub current_dir: &'a Path,
}

/// Progress that nobody sees.
struct NoProgress;

impl Host for SilentHost<'_> {
    fn current_dir(&self) -> &Path {
        self.current_dir
    }

    fn message(&self, _: &str) {}

    fn progress(&self, _: &'static str, _: usize) -> Box<dyn Progress> {
        Box::new(NoProgress)
    }

    fn read_stdin(&self, _: u64) -> io::Result<Vec<u8>> {
        Ok(Vec::new())
    }
}

impl Progress for NoProgress {
    fn advance(&self, _: usize, _: &'static str, _: &str) {}
}
