//! The files that a run reads, and the options of each.
//!
//! ```text
//! paths ──folders──▶ source files ──compile_commands.json──▶ options of each ──settings──▶ Input
//! ```
//!
//! Options of the command line come first in searches and last in macro definitions; the compilation database adds the
//! flags of the build for a file, and settings add sizes that neither gives.

mod bytes;
mod cargo_package;
mod command_words;
mod compilation_database;
mod compiler_flags;
mod folder_walk;
mod folders;
mod path_glob;
mod settings;
mod skipped_file;

pub use bytes::read_path;
pub(crate) use bytes::{check_name, check_visible, open, read_from, too_large};
pub use command_words::with_response_files;
pub use folders::first_sources;
pub(crate) use folders::{ExpandedPaths, expand, is_source};
pub use path_glob::PathGlob;
pub use settings::FileSettings;
pub(crate) use skipped_file::{
    OtherFiles, UnreadFiles, other_files, unread_diagnostics, unread_files, unreadable,
    unsupported_language,
};
pub use skipped_file::{SkipReason, SkippedFile};

use crate::error::CheckError;
use crate::host::Host;
use compilation_database::{CompilationDatabase, CompileCommand};
use compiler_flags::FileFlags;
use premiss_analyze::ReadOptions;
use std::path::Path;

/// The files to read, and the options for reading them.
#[derive(Clone, Copy)]
pub struct InputRequest<'a> {
    /// Files, and folders if the command takes them; `-` is standard input. If empty, the files of the build.
    pub paths: &'a [String],
    /// The name of standard input in reports.
    pub stdin_filename: &'a str,
    /// Where to find the options of files.
    pub options: &'a InputOptions,
    /// The options of the command line, for all files.
    pub reading: &'a ReadOptions,
    /// Receives messages.
    pub host: &'a dyn Host,
}

/// Where to find the options of files, besides the command line.
#[derive(Clone, Debug)]
pub struct InputOptions {
    /// The folder of `compile_commands.json`, or that file; without one, it is looked for in the current folder and in
    /// `build*` of it.
    pub build: Option<String>,
    /// What to do with a file that is not in the database.
    pub missing_flags: MissingFlags,
    /// The settings of files.
    pub settings: FileSettings,
}

/// What to do with a file that is not in the compilation database.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MissingFlags {
    /// Refuse it.
    Error,
    /// Skip it.
    Skip,
    /// Use the flags of the nearest file that is in the database.
    Guess,
}

/// A file to read, and its options.
pub(crate) struct Input {
    /// The path; `-` is standard input.
    pub(crate) path: String,
    pub(crate) options: ReadOptions,
}

/// The files of a request, each with its options; folders are not expanded.
///
/// # Errors
///
/// There is no file, or the build has no flags for a file.
pub(crate) fn inputs(request: &InputRequest<'_>) -> Result<Vec<Input>, CheckError> {
    let InputRequest {
        paths,
        options,
        reading,
        host,
        ..
    } = *request;
    let current = host.current_dir();
    let settings = &options.settings;
    let database = match &options.build {
        Some(folder) => Some(CompilationDatabase::in_folder(folder, host)?),
        None => CompilationDatabase::find(host)?,
    };
    let Some(database) = database else {
        if paths.is_empty() {
            return Err(CheckError::usage(
                "no file is named, and there is no compile_commands.json here or in build*/ \
                 (-p DIR names its folder); `.` is all files of this folder, as in `premiss check .`",
            ));
        }
        let plain = |path: &String| Input {
            path: path.clone(),
            options: settings.complete(path, reading.clone()),
        };
        return Ok(paths.iter().map(plain).collect());
    };
    let all = database.commands.iter().map(|entry| entry.path.clone());
    let all: Vec<String> = all.filter(|path| !settings.excludes(path)).collect();
    let paths = if paths.is_empty() { &all } else { paths };
    let (mut inputs, mut skipped) = (Vec::new(), Vec::new());
    for path in paths {
        check_visible(path)?;
        match flags_of(path, &database, current, options.missing_flags)? {
            Some(flags) => inputs.push(Input {
                path: path.clone(),
                options: settings.complete(path, flags.with(reading)),
            }),
            None => skipped.push(path.as_str()),
        }
    }
    if !skipped.is_empty() {
        let (n, path, list) = (skipped.len(), &database.path, skipped.join(", "));
        let files = if n == 1 { "file is" } else { "files are" };
        host.message(&format!(
            "note: {n} {files} left out, as they have no entry in `{path}`: {list}\n"
        ));
    }
    match inputs.is_empty() {
        true => Err(CheckError::File(format!(
            "`{}`: it leaves no C file to read",
            database.path
        ))),
        false => Ok(inputs),
    }
}

/// The flags of a file; `None` if the file is to be skipped.
fn flags_of(
    path: &str,
    database: &CompilationDatabase,
    current: &Path,
    missing: MissingFlags,
) -> Result<Option<FileFlags>, CheckError> {
    if path == "-" {
        return Ok(Some(FileFlags::default()));
    }
    let entry = match (database.command_of(path, current), missing) {
        (None, MissingFlags::Guess) => database.nearest(path, current),
        (entry, _) => entry,
    };
    let why = match entry {
        None => "there is no entry for it".to_owned(),
        Some(CompileCommand { flags, .. }) => match &flags.other_layout {
            None => return Ok(Some(flags.clone())),
            Some(option) => format!("{option} gives types other sizes than x86-64 Linux has"),
        },
    };
    if missing == MissingFlags::Skip {
        return Ok(None);
    }
    let database = &database.path;
    Err(CheckError::usage(format!(
        "`{path}`: {why} in `{database}` (--missing-flags=skip leaves such files out, \
         --missing-flags=guess reads a file without an entry as the nearest one that has one)"
    )))
}
