//! Reading the bytes of files, and of standard input.

use super::skipped_file::unsupported_language;
use crate::error::CheckError;
use crate::host::Host;
use premiss_report::{is_visible_name, visible_name};
use premiss_source::{FileSystem, Files, LARGEST_FILE, SourceFile};
use std::path::Path;

/// Opens the file to analyse; `-` is standard input, which is named `stdin_filename`.
///
/// # Errors
///
/// It must not or cannot be read, has 4 GiB or more, or is in another language; or standard input is empty.
pub(crate) fn open(
    path: &str,
    stdin_filename: &str,
    host: &dyn Host,
) -> Result<SourceFile, CheckError> {
    let (name, bytes) = if path == "-" {
        let bytes = host.read_stdin(LARGEST_FILE + 1);
        (
            stdin_filename,
            bytes.map_err(|error| CheckError::io("-", &error))?,
        )
    } else {
        check_name(path)?;
        (path, read_from(host.files(), path)?)
    };
    check_name(name)?;
    if path == "-" && bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(CheckError::File("-: standard input is empty".to_owned()));
    }
    SourceFile::new(name, bytes).ok_or_else(|| too_large(name))
}

pub(crate) fn too_large(path: &str) -> CheckError {
    CheckError::File(format!("`{path}`: it has 4 GiB or more"))
}

/// The bytes of a file that the user named, wherever it is.
///
/// # Errors
///
/// The file cannot be read, is no regular file, or has 4 GiB or more.
pub fn read_path(path: &str) -> Result<Vec<u8>, CheckError> {
    read_from(&FileSystem::unconfined(), path)
}

/// The bytes of a file.
///
/// # Errors
///
/// The file must not or cannot be read.
pub(crate) fn read_from(files: &dyn Files, path: &str) -> Result<Vec<u8>, CheckError> {
    let bytes = files.read(path);
    bytes.map_err(|error| CheckError::read(path, &error))
}

/// Refuses names that would be shown in a misleading way.
///
/// # Errors
///
/// The name has invisible characters.
pub(crate) fn check_visible(path: &str) -> Result<(), CheckError> {
    match is_visible_name(path) {
        true => Ok(()),
        false => Err(CheckError::usage(format!(
            "`{}`: its name has characters that are invisible or end a line; rename it, or leave it out with \
             `exclude` in the settings",
            visible_name(path)
        ))),
    }
}

/// Refuses names that would be shown in a misleading way, and other languages, by the extension of the name.
///
/// # Errors
///
/// The name has invisible characters, or the file is in another language.
pub(crate) fn check_name(path: &str) -> Result<(), CheckError> {
    check_visible(path)?;
    match unsupported_language(Path::new(path)) {
        None => Ok(()),
        Some(language) => Err(CheckError::usage(format!(
            "`{path}`: {language} is not supported yet; premiss reads C, Fortran and Rust \
             (move the loop nests into a .c file to analyse them)"
        ))),
    }
}
