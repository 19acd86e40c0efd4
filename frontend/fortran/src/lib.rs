//! From Fortran text to NestTree.
//!
//! # The road of a file
//!
//! ```text
//! bytes ──text──▶ statements ──parser──▶ FortranFile ──names──▶ ProgramIndex ──translate──▶ Unit ──▶ NestTrees
//!                (tokens)               (syntax)              (symbols, interfaces)     (imperative syntax)
//! ```
//!
//! 1. `text` expands a file (`INCLUDE`, preprocessor) and splits it into logical lines by its source form, fixed
//!    or free, and these into tokens.
//! 2. `parser` reads every statement by itself, by its first words (a `FlatStatement`), and puts constructs and
//!    program units together: a tree of `syntax`. Names are not looked up yet.
//! 3. `names` gives names their meaning over all files that are read together: the symbols of each program unit,
//!    use and host association, storage association (COMMON, EQUIVALENCE), interfaces of procedures, which
//!    variables they change, and so how arguments are passed.
//! 4. `translate` makes an imperative function of each procedure: array sections become loops, arguments are
//!    associated, constructs become branches and loops.
//! 5. `premiss-link` links the units, and `premiss-lower` executes their functions symbolically, which yields one NestTree for each with a
//!    loop.
//!
//! What is not understood is a rejection in the tree of the procedure that it concerns; the rest of the file is
//! there all the same.
//!
//! # The order of the modules
//!
//! Each imports only those before it:
//!
//! `options`, `syntax`, `intrinsics` (tables of the language), `build` and `array_descriptors` (imperative syntax),
//! `text`, `parser`, `names`, `translate`, `input_file`, `driver`.
//!
//! Where the grammar and the translation are recursive, one file ties the passes together: `parser/recursion`
//! (an expression, a statement) and `translate/judgments` (an expression, a designator, statements in sequence).
//!
//! # What becomes of Fortran
//!
//! - An array is rows with its subscripts in reverse order (column-major as row-major); whole arrays and sections are
//!   loops in array element order, through a temporary only where `translate/arrays/overlap` finds a dependence.
//! - An allocatable array is a pointer with its bounds beside it (`array_descriptors`); which arrays can have run-time
//!   lower bounds other than 1 is found over all files (`names/lower_bounds`). A procedure that may allocate a dummy
//!   argument takes its descriptor, and so does a function that yields an array (`translate/calls/function_results`).
//! - A dummy argument is a value where no call changes it (`names/interprocedural_mod`), and else a reference.
//!   Parameters are in the order scalars, extents, arrays, so that bounds are known when arrays come;
//!   `Signature::order` has the position of each dummy argument among them.
//! - A section that is not contiguous is copied in and out for a dummy argument of explicit shape or assumed size
//!   (`translate/calls/copy_in_copy_out`); where sizes decide whether it is contiguous, the call stands in both arms
//!   of a branch.
//! - A COMMON block is an array of bytes; its scalars that every program unit lays out alike are variables.
//! - A `DO` loop whose step is not constant runs `(last - first + step) / step` times. While a loop runs, procedures get
//!   a copy of its DO variable, and one in a module or COMMON block is counted in a substitute
//!   (`translate/statements/do_variables`).
//! - A name with arguments of which nothing but the type is declared is a function.
//!
//! # Where a new statement goes
//!
//! 1. Its syntax: a variant of `syntax::StatementKind` (executable) or `SpecificationKind`, and its expressions in
//!    `syntax::visit`, so that every analysis sees the names in it.
//! 2. Its first words: `parser/executables`, `parser/construct_statements` (it opens, divides or closes a
//!    construct, and gets a `FlatStatement` that `parser/constructs` puts together) or `parser/specifications`.
//! 3. Which variables it changes: `names/effects` and `translate/invariance`, and `names/lower_bounds` if it
//!    allocates arrays, associates pointers or passes arrays on. If it calls procedures, `names/scopes/references` and
//!    `translate/statements/do_variables`; if it has a block inside, `visit::blocks` and `parser/constructs`. The matches in
//!    these end in `_`, so that the compiler does not remind you. A specification is taken in by `names/scopes/build`.
//! 4. What it does: a pass under `translate/statements`, called from `execution_part::statement`.
//! 5. A kernel under `testdata/` that shows it, its tree in `tests`, and a line in `docs/src/languages.md`.

mod array_descriptors;
mod build;
mod driver;
mod input_file;
mod intrinsics;
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
