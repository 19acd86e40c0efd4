//! From a file's bytes to statements as sequences of tokens.
//!
//! ```text
//! file ──expand, preprocess──▶ text ──form: fixed, free──▶ LogicalLines ──lex──▶ Tokens
//! ```
//!
//! Each text comes with where its parts are from, so that every token has its place in the source. Nothing
//! here knows statements: keywords are names.

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
