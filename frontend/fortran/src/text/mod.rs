//! Splits the text of a file into statements, as sequences of tokens.
//!
//! ```text
//! file ──expand, preprocess──▶ text ──form: fixed, free──▶ LogicalLines ──lex──▶ Tokens
//! ```
//!
//! Each text has a map to its sources, so that every token has a place in the source. Statements are not recognized
//! here: keywords are names.

mod conditions;
mod expand;
mod fixed;
mod form;
mod free;
mod lex;
mod logical_line;
mod preprocess;

pub(crate) use expand::{ExpandedText, expand, expand_plain, runs_of_plain_file};
pub(crate) use form::{SourceForm, logical_lines};
pub(crate) use lex::{Token, TokenKind, tokens};
pub(crate) use logical_line::LogicalLine;
