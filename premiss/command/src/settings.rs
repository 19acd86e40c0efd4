//! Settings: what the command line leaves open is taken from the environment (`PREMISS_MACHINE`), and then from
//! the nearest `premiss.toml`.
//!
//! `file` makes a `Layer` of a file, `environment` one of variables; [`apply()`] puts their values into the arguments that
//! the command line leaves open, and returns what is in force.

mod apply;
mod environment;
mod file;
mod layer;
mod table;

pub(crate) use apply::apply;

/// The text of a new `premiss.toml`: every setting, with what it is for.
pub(crate) const TEMPLATE: &str = include_str!("settings/premiss.toml");
