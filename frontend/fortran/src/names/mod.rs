//! Name resolution: the symbols of program units, modules and their users, storage, procedures.
//!
//! ```text
//! FileInputs ──discovery──▶ scopes, ProcedureSummaries ──link──▶ ProgramIndex ──▶ translate
//!                 │                                      │
//!               scopes/                 interprocedural_mod, lower_bounds, passing
//! ```
//!
//! [`scopes`] builds the symbols of one program unit from its specification part; [`discovery`] finds the procedures
//! and modules of all files and builds their scopes, modules before their users; [`link`] solves what involves all
//! procedures: the variables that calls may change, and so how arguments are passed. An unchanged file is represented
//! by its [`FileSummary`](summary).

mod ambiguous_names;
pub(crate) mod constants;
mod dependencies;
mod discovery;
mod effects;
mod index;
mod inputs;
mod interface;
mod interprocedural_mod;
mod link;
mod lower_bounds;
mod passing;
mod scopes;
mod storage_areas;
mod storage_association;
mod summarize;
mod summary;
mod symbols;
pub(crate) mod types;

pub(crate) use dependencies::dependency_digests;
pub(crate) use discovery::definitions_of_plain_file;
pub(crate) use effects::{direct_changes, possible_changes};
pub(crate) use index::{Procedure, ProgramIndex};
pub(crate) use inputs::{FileDefinitions, FileInput, ParsedFile, ScopedProcedure};
pub(crate) use interface::DummyArgument;
pub(crate) use link::link;
pub(crate) use passing::ArgumentPassing;
pub(crate) use scopes::is_intrinsic_module;
pub(crate) use storage_areas::StorageArea;
pub(crate) use summarize::summarize;
pub(crate) use summary::FileSummary;
pub(crate) use symbols::{
    ArraySpec, BoundProcedure, DerivedType, Entity, NameScope, ProcedureId, StatementFunction,
    Storage, Symbol, Variable, constructor_key,
};
pub(crate) use types::FortranType;
