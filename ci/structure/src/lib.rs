//! From the Rust sources of a workspace to measures of their shape: lines by file and by function,
//! methods by type, cycles of modules, banned names and names that stand for too many things.
//!
//! [`Workspace::read`] parses every file; [`Structure::measure`] measures what was parsed;
//! [`Structure::violations`] lists what misses a [`target`](targets). Nothing is compiled, so macros are
//! seen as they are written: an item that only an expansion defines is not there, and paths inside
//! macro calls are found among their tokens.

mod banned_names;
mod cycles;
mod declarations;
mod functions;
mod methods;
mod module_graph;
mod module_tree;
mod references;
mod report;
mod resolve;
mod shared_names;
mod sizes;
mod structure;
pub mod targets;
mod workspace;

pub use structure::{Structure, Violation};
pub use workspace::{ReadError, Workspace};
