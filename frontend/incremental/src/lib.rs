//! Incremental lowering of whole programs: results of an earlier run are reused where they are still valid.
//!
//! Lowering a unit is a function of the results of its queries of the linked program. A run records for each unit the
//! *inputs* that these results depend on (its *dependencies*), with a *fingerprint* of the value of each input, and
//! the part of the result that others need: the jump functions of its calls. The next run compares: if every input has
//! the same value, the result is the same and the unit is not lowered again.
//!
//! ```text
//! a.f calls g                 a reads: units {a, b}, what defines `g`
//! b.f defines g, h            b reads: unit {b}
//! an edit of b.f              lowers both
//! an edit of a.f              lowers a.f alone
//! an edit of a comment        lowers none: fingerprints do not depend on positions
//! ```
//!
//! What is recorded ([`records`]): for each unit its fingerprints (of its contents and of the signatures of its
//! functions), its dependencies ([`recorder`]), and the pure calls whose results it used. The granularity of inputs
//! matches that of edits. For a function that is not inlined, a unit reads the call summary: which objects it
//! modifies, and whether inlining it takes more steps than a call may take. For a pure call, it reads the result (and
//! the body, where operations are counted). An edit that leaves these unchanged does not affect the callers: this is
//! the early cutoff of Mokhov, Mitchell and Peyton Jones (*Build Systems à la Carte*, 2018).
//!
//! What is validated ([`validation`]): a record is valid if the environment of the program (the files, the budget) and
//! the unit's own fingerprint are unchanged and every dependency has its recorded value. Values are compared, not
//! times or revisions of files, so dependencies need not be brought up to date in a certain order: call summaries and
//! definitions are computed from the interfaces of units in each run.
//!
//! Why a reused result equals a recomputed one: `premiss-lower` reads the program through
//! [`Queries`](premiss_link::Queries) alone and has no other input except its budget.
//! [`Program`](premiss_link::Program) reports every input that the result of a query depends on, and results that are
//! cached within a run carry their dependencies. Two kinds of information flow from callers to callees and are not
//! dependencies. The budget for calls into other files is shared: nothing is reused if it is scarce. The agreed sizes
//! are a fixpoint over all functions: it is computed in each run from recorded and new jump functions, and units whose
//! sizes changed are lowered ([`driver`]).
//!
//! A unit with a valid summary is not even translated: its syntax is [deferred](premiss_link::LazyUnit) until it is
//! needed. Whether its file is parsed is up to the front end.

mod cache;
mod driver;
mod included_text;
mod lowered_unit;
mod program;
mod recorder;
mod records;
mod schedule;
#[cfg(test)]
mod test_programs;
#[cfg(test)]
mod tests;
mod translation_unit;
mod validation;

pub use cache::{IncrementalCache, PathAndBytes};
pub use included_text::included_text_fingerprint;
pub use program::{IncrementalProgram, UnitInput};
pub use records::{ProgramRecord, SummaryRecord};
pub use translation_unit::{
    FileOutcome, FrontendReport, SizeNames, TranslationUnit, add_notes_on_bytes, diagnostic,
    read_on_own_stack, translate,
};
