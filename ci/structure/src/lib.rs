//! From the Rust sources of a workspace to measures of their structure: lines of files and functions, methods of types,
//! cycles of modules, banned names, and names that stand for too many types.
//!
//! [`Workspace::read`] parses every file; [`Structure::measure`] measures the parsed files; [`Structure::violations`]
//! lists the [targets] that are missed. Nothing is compiled, so macros are not expanded: an item that only an expansion
//! defines is not seen, and paths inside macro calls are found among their tokens.

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
