//! Lowering of whole programs, with the results of an earlier run reused where they still hold.
//!
//! Lowering a unit is a function of the answers to its queries of the linked program. A run records, for each unit, which
//! *inputs* those answers rest upon (its *dependencies*) with a *fingerprint* of each input's value, and the part of the
//! result that others need: what its functions pass to those that they call. The next run compares: where every input has
//! the value that it had, the unit comes to the same, and is not lowered again.
//!
//! ```text
//! a.f calls g                 a reads: units {a, b}, what defines `g`
//! b.f defines g, h            b reads: unit {b}
//! an edit of b.f              lowers both
//! an edit of a.f              lowers a.f alone
//! an edit of a comment        lowers none: fingerprints say nothing of where things stand
//! ```
//!
//! What is recorded ([`records`]): for each unit its fingerprints (of its contents, of its functions' signatures), its
//! dependencies ([`recorder`]), and the pure calls whose results it used. Inputs are as fine as an edit may be. Of a
//! function that is not followed a unit reads the call summary: which objects are modified on the way, and whether
//! following it takes more steps than a call may. Of a call that does nothing but yield a number it reads that number. An
//! edit after which these are the same does not concern the callers: the early cut-off of the literature (Mokhov, Mitchell
//! and Peyton Jones, *Build Systems à la Carte*, 2018).
//!
//! What validates ([`validation`]): a record holds if the program's environment (the files, the budget) is the same, the
//! unit's own fingerprint is, and every dependency has its recorded value. Values are compared, not the times or revisions
//! of files, so there is no order in which dependencies have to be brought up to date: call summaries and definitions are
//! computed from the units' interfaces in each run.
//!
//! Why a reused result equals a recomputed one: `premiss-lower` reads the program through
//! [`Queries`](premiss_link::Queries) alone and has no other input but its budget. [`Program`](premiss_link::Program)
//! reports every input that an answer rests upon, and results that are kept within a run carry the dependencies with them.
//! Two results flow against the calls, and are not dependencies. The budget for calls into other files is one for all:
//! nothing is reused where it is scarce. The sizes that callers agree on are a fixpoint over all functions: it is solved
//! anew in each run, from recorded and new jump functions, and units whose sizes changed are lowered ([`driver`]).
//!
//! A unit whose record of a summary holds is not even translated: its syntax is
//! [deferred](premiss_link::LazyUnit) until somebody reads it. Whether its file is parsed is for the front end to say.

mod cache;
mod driver;
mod included_text;
mod lowered_unit;
mod program;
mod recorder;
mod records;
mod schedule;
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
