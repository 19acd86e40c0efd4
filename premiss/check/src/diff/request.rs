//! What is compared, and how.

use super::program::ReadingRequest;
use crate::host::Host;
use crate::inputs::InputOptions;
use premiss_analyze::{MeasureOptions, ReadOptions};
use premiss_gate::KernelLimits;

/// What is compared, and how.
#[derive(Clone, Copy)]
pub struct DiffRequest<'a> {
    /// What `--base` names: a revision of git, or a file that a saved base is in.
    pub base: Option<&'a str>,
    /// The base and the head; with `base`, files and folders of the head, or the current folder.
    pub paths: &'a [String],
    /// Whether the program is to be saved: without a base and with other than two paths, nothing is compared then.
    pub saves: bool,
    /// Where options of files are found.
    pub options: &'a InputOptions,
    /// The options of the command line, for all files.
    pub reading: &'a ReadOptions,
    /// How to count.
    pub measuring: &'a MeasureOptions,
    /// The option that gives arrays their addresses, for messages.
    pub bases_option: &'a str,
    /// By how much metrics may grow.
    pub limits: &'a KernelLimits,
    /// Where messages go.
    pub host: &'a dyn Host,
}

impl<'a> DiffRequest<'a> {
    pub(super) fn files(&self) -> ReadingRequest<'a> {
        ReadingRequest {
            options: self.options,
            reading: self.reading,
            host: self.host,
        }
    }

    /// Whether a program is to be saved, and compared with nothing.
    pub(super) fn is_save_alone(&self) -> bool {
        self.saves && self.base.is_none() && self.paths.len() != 2
    }
}
