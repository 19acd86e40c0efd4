//! The engine of `premiss diff`: two programs, read, counted and compared nest by nest.
//!
//! ```text
//! base: revision, folder or saved file ──▶ DiffProgram ──┐
//!                                                            ├──matching──▶ Delta ──▶ Comparison ──▶ forms, page
//! head: working tree or folder         ──▶ DiffProgram ──┘
//! ```
//!
//! Files of both sides correspond by their keys: paths in the repository, or below the folders that are compared. Sizes
//! get the same values on both sides before anything is counted.

mod comparison;
mod page;
mod program;
mod request;
mod run;
mod saved_base;

pub use comparison::{Comparison, DiffReport};
pub use request::DiffRequest;
pub use run::{DiffOutcome, diff};
pub use saved_base::saved_base_file;
