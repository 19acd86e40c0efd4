//! The engines of `premiss check` and `premiss diff`, and everything between options and the analysis: which files are
//! read, which results of an earlier run are reused, and how results are merged.
//!
//! ```text
//! paths ──inputs──▶ files with options ──open──▶ programs ──check──▶ CheckedProgram
//!                                                         └─diff───▶ Comparison
//! ```
//!
//! - [`check()`] analyzes files as one program, with a cache of results; [`check_shard`] does so for a part of them,
//!   and [`merge_shards`] merges the parts.
//! - [`diff()`] compares two programs: from a revision of git, from folders, or from a saved base.
//! - [`read_selected`], [`open_below`] and [`SymbolicProgram`] read programs for the other commands.
//!
//! A run depends only on the files that it reads and on its request. It does not print, exit or read the environment:
//! files, messages, progress, standard input and the current folder come from a [`Host`].
//!
//! # What is cached between runs
//!
//! The key of a whole run has the program, the options and every file with its content; the entry has the included
//! files, the paths that were looked up in vain, and the result of each file, with spans relative to files. All output
//! forms are written from the entry, so that they are the same bytes. The digest of a file ignores comments and blank
//! lines, so that editing these changes nothing, and findings are reported at the current places of their lines.
//!
//! # Shards
//!
//! A shard writes the results of its files beside its own JSON, in the form that the cache uses as well, with the
//! digests of all files. `merge_shards` reads the results of all shards, puts them in the order of one check, reads the
//! sources again, and continues like a check. Files are assigned to shards by bytes. All shards read and lower all
//! files: sizes that callers agree on are equations between all of them. Only counting is distributed, which is nearly
//! all of a check whose sizes are known, and little of one whose sizes are not.

mod check;
mod diff;
mod error;
mod file_report;
mod git;
mod git_command;
mod host;
mod inputs;
mod listing;
mod lru_levels;
mod measure_visibly;
mod open;
mod output_form;
mod page_derivations;
mod paths;
mod profiles;
mod repository;
mod shard;
mod suggestion;
mod symbolic_program;
mod validate;

pub use check::{
    CacheWriter, CheckRequest, CheckedProgram, MachineRecord, RuleLevel, RuleLevels, ShardFile,
    ShardRecord, check, check_shard, merge_shards,
};
pub use diff::{Comparison, DiffOutcome, DiffReport, DiffRequest, diff, saved_base_file};
pub use error::CheckError;
pub use file_report::{FileReport, ProgramReport, merge_reports};
pub use git::Revision;
pub use host::{Host, Progress, SilentHost};
pub use inputs::{
    FileSettings, InputOptions, InputRequest, MissingFlags, PathGlob, SkipReason, SkippedFile,
    first_sources, read_path, with_response_files,
};
pub use listing::FileList;
pub use lru_levels::lru_levels;
pub use measure_visibly::measure_visibly;
pub use open::{
    OpenedFiles, SelectedProgram, displayed_paths, open_below, open_files, read_each, read_merged,
    read_selected,
};
pub use output_form::OutputForm;
pub use page_derivations::derive_page;
pub use paths::{normalize, relative};
pub use profiles::Profiles;
pub use repository::Repository;
pub use shard::Shard;
pub use suggestion::suggest;
pub use symbolic_program::{ProgramSource, SymbolicProgram};
pub use validate::{check_bases, check_bounds, check_sizes, mentions_size, select};
