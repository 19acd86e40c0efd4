//! From a file's bytes to statements as sequences of tokens.

mod expand;
mod fixed;
mod form;
mod free;
mod lex;
mod preprocess;

pub(crate) use expand::{Expanded, expand, plain, whole};
pub(crate) use form::{Form, Logical, logical_lines};
pub(crate) use lex::{Token, TokenKind, tokens};
