//! The request for a comparison.

use super::program::ReadingRequest;
use crate::host::Host;
use crate::inputs::InputOptions;
use premiss_analyze::{MeasureOptions, ReadOptions};
use premiss_gate::KernelLimits;

/// The programs to compare, and how.
#[derive(Clone, Copy)]
pub struct DiffRequest<'a> {
    /// The value of `--base`: a revision of git, or the path of a saved base.
    pub base: Option<&'a str>,
    /// The base and the head; with `base`, files and folders of the head, or none for the current folder.
    pub paths: &'a [String],
    /// Whether the program is to be saved: without a base and with other than two paths, nothing is compared then.
    pub saves: bool,
    /// Where to find the options of files.
    pub options: &'a InputOptions,
    /// The options of the command line, for all files.
    pub reading: &'a ReadOptions,
    /// How to count.
    pub measuring: &'a MeasureOptions,
    /// How the settings of the head differ from those in force.
    pub policy_changes: &'a [String],
    /// The allowed growth of metrics.
    pub limits: &'a KernelLimits,
    /// Receives messages.
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

    /// Whether a program is to be saved without a comparison.
    pub(super) fn is_save_alone(&self) -> bool {
        self.saves && self.base.is_none() && self.paths.len() != 2
    }
}
