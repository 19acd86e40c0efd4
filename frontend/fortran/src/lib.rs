//! The Fortran front end: lowers Fortran files to `NestTree`s.
//!
//! # The stages
//!
//! ```text
//! bytes ──text──▶ statements ──parser──▶ FortranFile ──names──▶ ProgramIndex ──translate──▶ Unit ──▶ NestTrees
//!                (tokens)               (syntax)              (symbols, interfaces)     (imperative syntax)
//! ```
//!
//! 1. `text` expands a file (`INCLUDE`, preprocessor) and splits it into logical lines by its source form, fixed or
//!    free, and these into tokens.
//! 2. `parser` parses every statement separately, by its first words (a `FlatStatement`), and assembles constructs and
//!    program units: a tree of `syntax`. Names are not looked up yet.
//! 3. `names` resolves names over all files: the symbols of each program unit, use and host association, storage
//!    association (COMMON, EQUIVALENCE), interfaces of procedures, the variables that they change, and so how
//!    arguments are passed.
//! 4. `translate` translates each procedure to an imperative function: array sections become loops, arguments are
//!    associated, constructs become branches and loops.
//! 5. `premiss-link` links the units, and `premiss-lower` interprets their functions, which yields one `NestTree` for
//!    each function with a loop.
//!
//! What is not understood is a rejection in the tree of the procedure that contains it; the rest of the file is not
//! affected.
//!
//! # Dependencies between modules
//!
//! Each module imports only those before it:
//!
//! `options`, `syntax`, `intrinsics` (tables of the language), `build` and `array_descriptors` (imperative syntax),
//! `text`, `parser`, `names`, `translate`, `missing_modules`, `input_file`, `driver`.
//!
//! Where the grammar and the translation are recursive, one file closes the recursion: `parser/recursion`
//! (expressions, statements) and `translate/judgments` (expressions, designators, sequences of statements).
//!
//! # How Fortran is translated
//!
//! - An array consists of rows with subscripts in reverse order (column-major as row-major); whole arrays and sections
//!   are loops in array element order, with a temporary only if `translate/arrays/overlap` finds a dependence.
//! - An allocatable array is a pointer with variables for its bounds (`array_descriptors`); the arrays that can have
//!   run-time lower bounds other than 1 are determined over all files (`names/lower_bounds`). A procedure that may
//!   allocate a dummy argument takes its descriptor, and so does a function with an array result
//!   (`translate/calls/function_results`).
//! - A dummy argument is a value if no call changes it (`names/interprocedural_mod`), else a reference. Parameters are
//!   in the order scalars, extents, arrays, so that bounds precede the arrays; `Signature::order` has the position of
//!   each dummy argument among them.
//! - A section that is not contiguous is copied in and out for a dummy argument of explicit shape or assumed size
//!   (`translate/calls/copy_in_copy_out`); if contiguity depends on sizes, the call occurs in both arms of a branch.
//! - A COMMON block is an array of bytes; scalars in it that every program unit lays out in the same way are
//!   variables.
//! - A `DO` loop with a step that is not constant runs `(last - first + step) / step` times. During a loop, procedures
//!   get a copy of its DO variable, and a substitute counts for a variable in a module or COMMON block
//!   (`translate/statements/do_variables`).
//! - A name with arguments of which only the type is declared is a function.
//! - An operation that procedures define is a reference to the function (`translate/operations`), and such an assignment
//!   a call.
//! - Bounds of explicit-shape arrays that may change are evaluated into constants on entry (`translate/entry_values`).
//! - After a statement that is rejected, the variables that it may change are unknown (`translate/unknown_effects`).
//! - A header that cannot be parsed is one with an unknown condition (`parser/unparsed`).
//!
//! # How to add a statement
//!
//! 1. Its syntax: a variant of `syntax::StatementKind` (executable) or `SpecificationKind`, and its expressions in
//!    `syntax::visit`, so that every analysis sees the names in it.
//! 2. Its first words: `parser/executables`, `parser/construct_statements` (if it opens, divides or closes a
//!    construct, with a `FlatStatement` that `parser/constructs` assembles) or `parser/specifications`.
//! 3. The variables that it changes: `names/effects`, and `names/lower_bounds` if it allocates arrays, associates
//!    pointers or passes arrays on. If it calls procedures, `names/scopes/references` and
//!    `translate/statements/do_variables`; if it contains a block, `visit::blocks` and `parser/constructs`. The
//!    matches in these end in `_`, so the compiler does not report missing cases. A specification is processed by
//!    `names/scopes/build`.
//! 4. Its translation: a pass under `translate/statements`, called from `execution_part::statement`.
//! 5. Tests: a kernel under `testdata/` that uses it, its tree in `tests`, and a line in `docs/src/languages.md`.

mod array_descriptors;
mod build;
mod driver;
mod input_file;
mod intrinsics;
mod missing_modules;
mod names;
mod options;
mod parser;
mod syntax;
#[cfg(test)]
mod tests;
mod text;
mod translate;

pub use driver::read_linked;
pub use options::Options;
pub use premiss_incremental::{FileOutcome, TranslationUnit};
