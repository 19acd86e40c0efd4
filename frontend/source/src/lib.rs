//! Source files, positions in them, and what we have to say about them.
//!
//! A [`SourceMap`] owns the files of one analysis. A [`Span`] names a range of bytes in one of
//! them; everything that a user reads about (a reference, a loop, a diagnostic) carries one. Files
//! need not be UTF-8: a byte that is no part of a valid character reads as `?`, so that offsets in
//! the text are offsets in the file.

mod comments;
mod diagnostic;
mod directives;
mod file;
mod files;
mod outline;

pub use comments::{CommentSyntax, Commented, commented};
pub use diagnostic::{Diagnostic, Label, Severity};
pub use directives::{Directive, MARK, directives, has_directives, marks};
pub use file::{FileId, Position, SourceFile, SourceMap, Span};
pub use files::{FileSystem, Files, MemoryFiles, ObservedFiles};
pub use outline::{Outline, OutlineLine};
