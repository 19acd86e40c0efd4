//! Headers and their files, each read at most once.

use super::state::{HeaderRole, Preprocessor};
use premiss_source::{FileId, LARGEST_FILE, ReadError};
use std::fmt;

/// The header that a directive names.
pub(super) struct Header {
    pub(super) name: String,
    /// `"…"`: searched in the directory of the including file first.
    pub(super) quoted: bool,
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.quoted {
            true => write!(f, "\"{}\"", self.name),
            false => write!(f, "<{}>", self.name),
        }
    }
}

/// The file that an `#include` refers to.
pub(super) struct ResolvedHeader {
    pub(super) file: FileId,
    pub(super) role: HeaderRole,
}

/// The path of the file that is being read.
pub(super) fn includer<'c>(ctx: &'c Preprocessor) -> &'c str {
    let file = ctx.readers.last().map(|reader| reader.lexer.file());
    file.map_or("", |file| ctx.sources.file(file).path())
}

/// The file of that path: one of the user, not a built-in header.
pub(super) fn user_file(ctx: &mut Preprocessor, path: &str) -> Option<ResolvedHeader> {
    let file = load(ctx, path)?;
    Some(ResolvedHeader {
        file,
        role: HeaderRole::User,
    })
}

/// The file of that path, read at most once. One that must not be read is remembered, in case that there is no other.
fn load(ctx: &mut Preprocessor, path: &str) -> Option<FileId> {
    let file = match ctx.cache.by_path.get(path) {
        Some(known) => known.clone(),
        None => {
            let bytes = ctx.files.read(path);
            add_file(ctx, path.to_owned(), bytes)
        }
    };
    if let Err(error) = &file
        && error.is_refusal()
        && ctx.refusal.is_none()
    {
        ctx.refusal = Some(format!("`{path}`: {error}"));
    }
    file.ok()
}

pub(super) fn add_file(
    ctx: &mut Preprocessor,
    path: String,
    bytes: Result<Vec<u8>, ReadError>,
) -> Result<FileId, ReadError> {
    let file = bytes.and_then(|bytes| {
        let file = ctx.sources.add(path.clone(), bytes);
        file.ok_or(ReadError::TooLarge(LARGEST_FILE))
    });
    ctx.cache.by_path.insert(path, file.clone());
    file
}
