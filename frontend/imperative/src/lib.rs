//! From programs in imperative languages to NestTrees.
//!
//! The front end of a language makes [`syntax`] of its files: statements and expressions over typed
//! objects. [`Program`] links the files, and [`translate`] executes each function with a loop symbolically,
//! which yields one NestTree for each. What is not understood is a rejection in the tree of the function
//! that it concerns.

mod deferred;
mod effects;
mod height;
mod included;
mod jumps_back;
mod late_steps;
mod lowering;
mod memory;
mod names;
mod origins;
mod passing;
pub mod syntax;
mod unit;

pub use deferred::{Deferred, Later, Said};
pub use effects::{FunctionEffect, FunctionTable, ResultKind};
pub use included::digest_of_included;
pub use jumps_back::plain_loops;
pub use lowering::{Links, Parsed, Program, Sizes, Stated};
pub use memory::{Memory, ProgramMemory, Text, UnitMemory, UnitSummary};
pub use names::Names;
pub use origins::{OriginMap, Run};
pub use unit::{
    Prospect, TranslationUnit, add_notes_on_bytes, diagnostic, no_stack, on_own_stack,
    read_on_own_stack, translate,
};
