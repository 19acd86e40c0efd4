//! From programs in imperative languages to NestTrees.
//!
//! The front end of a language makes [`premiss_ast::syntax`] of its files: statements and expressions over typed
//! objects. [`Program`] links the files, and [`translate`] executes each function with a loop symbolically,
//! which yields one NestTree for each. What is not understood is a rejection in the tree of the function
//! that it concerns.

mod deferred;
mod included;
mod lowering;
mod memory;
mod passing;
mod unit;

pub(crate) use premiss_ast::syntax;

pub use deferred::{Deferred, Later, Said};
pub use included::digest_of_included;
pub use lowering::{Links, Parsed, Program, Sizes, Stated};
pub use memory::{Memory, ProgramMemory, Text, UnitMemory, UnitSummary};
pub use unit::{
    Prospect, TranslationUnit, add_notes_on_bytes, diagnostic, no_stack, on_own_stack,
    read_on_own_stack, translate,
};
