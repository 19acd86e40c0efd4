//! Source files, positions in them, and diagnostics.
//!
//! A [`SourceMap`] owns the files of one analysis. A [`Span`] is a range of bytes in one of them; everything that is
//! reported to a user (a reference, a loop, a diagnostic) has one. Files need not be UTF-8: a byte that is not part of
//! a valid character is decoded to `?`, so that offsets in the text are offsets in the file.

mod comments;
mod diagnostic;
mod directives;
mod file;
mod file_system;
mod files;
mod nearby;
mod outline;
mod source_form;

pub use comments::{CommentSyntax, Commented, commented};
pub use diagnostic::{Diagnostic, Label, Severity, UnknownSize};
pub use directives::{Directive, MARK, directives, has_directives, marks};
pub use file::{FileId, Position, SourceFile, SourceMap, Span};
pub use file_system::{FileSystem, LARGEST_FILE, LARGEST_UNTRUSTED_FILE, read_error};
pub use files::{Files, MemoryFiles, ObservedFiles, ReadError, names_below};
pub use nearby::{NearbyFiles, by_depth};
pub use outline::{Outline, OutlineLine};
pub use source_form::final_ampersand;
