//! Settings: options that the command line leaves open are taken from the environment (`PREMISS_MACHINE`), and then
//! from the nearest `premiss.toml`.
//!
//! `file` turns a file into a `Layer`, `environment` does so for variables; [`apply()`] puts their values into the
//! arguments that the command line leaves open, and returns the settings in force. A comparison with a revision takes
//! the file of that revision (`policy`).

mod apply;
mod environment;
mod file;
mod layer;
mod policy;
mod table;
mod toml_text;

pub(crate) use apply::apply;

/// The text of a new `premiss.toml`: every setting with an explanation.
pub(crate) const TEMPLATE: &str = include_str!("settings/premiss.toml");
