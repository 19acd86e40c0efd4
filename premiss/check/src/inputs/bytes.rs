//! Reading the bytes of files, and of standard input.

use super::skipped_file::unsupported_language;
use crate::error::CheckError;
use crate::host::Host;
use premiss_source::SourceFile;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// The most memory that is reserved before a file is read.
const MOST_ROOM: u64 = 1 << 28;
/// The most bytes read of a file; larger ones cannot be analysed.
const LARGEST_FILE: u64 = 1 << 32;

/// Opens the file to analyse; `-` is standard input, which is named `stdin_filename`.
///
/// # Errors
///
/// It cannot be read, has 4 GiB or more, or is in another language; or standard input is empty.
pub(crate) fn open(
    path: &str,
    stdin_filename: &str,
    host: &dyn Host,
) -> Result<SourceFile, CheckError> {
    let (name, bytes) = if path == "-" {
        let bytes = host.read_stdin(LARGEST_FILE);
        (
            stdin_filename,
            bytes.map_err(|error| CheckError::io("-", &error))?,
        )
    } else {
        refuse_other_languages(path)?;
        (path, read_path(path)?)
    };
    refuse_other_languages(name)?;
    if path == "-" && bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(CheckError::File("-: standard input is empty".to_owned()));
    }
    SourceFile::new(name, bytes).ok_or_else(|| too_large(name))
}

pub(crate) fn too_large(path: &str) -> CheckError {
    CheckError::File(format!("`{path}`: it has 4 GiB or more"))
}

/// The bytes of a file, at most the first 4 GiB.
///
/// # Errors
///
/// The file cannot be opened or read.
pub fn read_path(path: &str) -> Result<Vec<u8>, CheckError> {
    let refuse = |error: io::Error| CheckError::io(path, &error);
    let file = fs::File::open(path).map_err(refuse)?;
    let length = file.metadata().map_or(0, |metadata| metadata.len());
    // One byte more, so that the end is found without growing the buffer.
    let room = length.min(MOST_ROOM) + 1;
    let mut bytes = Vec::with_capacity(usize::try_from(room).unwrap_or(0));
    let read = file.take(LARGEST_FILE).read_to_end(&mut bytes);
    read.map_err(refuse)?;
    Ok(bytes)
}

/// Refuses other languages, by the extension of the name.
///
/// # Errors
///
/// The file is in another language.
pub(crate) fn refuse_other_languages(path: &str) -> Result<(), CheckError> {
    match unsupported_language(Path::new(path)) {
        None => Ok(()),
        Some(language) => Err(CheckError::usage(format!(
            "`{path}`: {language} is not supported yet; premiss reads C, Fortran and Rust \
             (move the loop nests into a .c file to analyse them)"
        ))),
    }
}
