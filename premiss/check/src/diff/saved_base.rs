//! Saved bases: what `--save` writes, and `--base` reads.

use super::program::{DiffProgram, UnparsedTexts};
use super::request::DiffRequest;
use crate::error::CheckError;
use crate::repository::Repository;
use premiss_gate::{ComparedProgram, SavedBase, SavedConditions};
use premiss_source::{FileSystem, Files as _, ReadError};
use std::path::Path;

/// The result of opening the value of `--base`.
pub(super) enum OpenedBase {
    /// A saved base with matching conditions.
    Saved(SavedBase),
    /// Not a file: a revision, or no base.
    NoFile,
    /// A file that the head cannot be compared with, and the reason.
    Inconclusive(String),
}

/// Opens the saved base, if `--base` names a file.
///
/// # Errors
///
/// The file is malformed, or exists and cannot be read.
pub(super) fn open(request: &DiffRequest<'_>) -> Result<OpenedBase, CheckError> {
    let Some(file) = request.base.and_then(saved_base_file) else {
        return Ok(OpenedBase::NoFile);
    };
    let bytes = match FileSystem::unconfined().read(file) {
        Ok(bytes) => bytes,
        Err(ReadError::Missing) => {
            return Ok(OpenedBase::Inconclusive(format!(
                "--base {file}: there is no such file; `premiss diff --save {file}` writes it"
            )));
        }
        Err(error) => return Err(CheckError::read(file, &error)),
    };
    let text = String::from_utf8_lossy(&bytes);
    let broken = |error| {
        CheckError::File(format!(
            "--base {file}: it is not a base that --save wrote: {error}"
        ))
    };
    let saved = SavedBase::parse(&text).map_err(broken)?;
    let (saved_machine, machine) = (&saved.conditions.machine, machine(request));
    if *saved_machine != machine {
        return Ok(OpenedBase::Inconclusive(format!(
            "--base {file}: it was counted for another machine ({saved_machine}) than now ({machine}); save it again"
        )));
    }
    for (name, value) in &request.reading.sizes {
        let of_saved = saved.conditions.sizes.get(name);
        if let Some(of_saved) = of_saved.filter(|of_saved| *of_saved != value) {
            return Ok(OpenedBase::Inconclusive(format!(
                "--base {file}: it was counted for {name} = {of_saved}, and now {name} = {value}; save it again"
            )));
        }
    }
    Ok(OpenedBase::Saved(saved))
}

/// The path of the saved base, if the name has its extension, which revisions do not have.
#[must_use]
pub fn saved_base_file(name: &str) -> Option<&str> {
    let extension = Path::new(name).extension()?;
    extension.eq_ignore_ascii_case("json").then_some(name)
}

/// A saved base, and the head.
///
/// # Errors
///
/// The head cannot be read.
pub(super) fn read(
    request: &DiffRequest<'_>,
    saved: &SavedBase,
) -> Result<(DiffProgram, DiffProgram), CheckError> {
    let sizes = request.reading.sizes.keys();
    let unused = sizes.filter(|name| !saved.conditions.sizes.contains_key(*name));
    let name = request.base.unwrap_or_default();
    Ok((
        DiffProgram::of_saved(name, unused.cloned().collect()),
        working_tree(request)?,
    ))
}

/// The current files.
pub(super) fn working_tree(request: &DiffRequest<'_>) -> Result<DiffProgram, CheckError> {
    let repository = Repository::enclosing(request.host.current_dir());
    DiffProgram::working_tree(request.paths, request.files(), &repository)
}

/// The content of a saved base for a program.
pub(super) fn to_json(
    request: &DiffRequest<'_>,
    side: ComparedProgram<'_>,
    unparsed: UnparsedTexts,
) -> String {
    let repository = Repository::enclosing(request.host.current_dir());
    let conditions = SavedConditions {
        machine: machine(request),
        sizes: request.reading.sizes.clone(),
        unparsed,
    };
    SavedBase::of(side, &|path| repository.path_of(path), conditions).to_json()
}

/// `spr@4f1c, page4096, independent`: the conditions that counts depend on besides the program and its sizes.
fn machine(request: &DiffRequest<'_>) -> String {
    let measuring = request.measuring;
    let mut text = format!(
        "{}, {}, {}",
        measuring.machine.id(),
        measuring.layout.name(),
        measuring.hierarchy.name()
    );
    for (array, address) in &measuring.bases {
        text.push_str(&format!(", {array} at {address:#x}"));
    }
    text
}
