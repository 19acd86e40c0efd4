//! The C preprocessor: from files to one text without directives and macros (C11 5.1.1.2, phases 2 to 4).
//!
//! It runs in this process and opens no files by itself: headers come from the caller's [`Files`], the standard
//! headers are built in, and the predefined macros are those of GCC on x86-64 Linux. So a program has the same meaning
//! on every machine.
//!
//! Every token keeps its place in the source. A token of a file, including one in a macro argument, has its own place;
//! a token of a macro's replacement list has the place of the outermost invocation. With `#define AT(i,j)
//! a[(i)*n+(j)]`, `AT(i+1,j)` expands to `a[(i+1)*n+(j)]`, where `i+1` has its own place and the subscript as a whole
//! that of `AT(i+1,j)`.
//!
//! Preprocessing never fails: malformed input is reported and skipped, and the work is bounded for every input.

mod budget;
mod by_name;
mod condition;
mod configuration_choice;
mod configure_answers;
mod directives;
mod expand;
mod header_files;
mod headers;
mod include;
mod integers;
mod lex;
mod macros;
mod options;
mod output;
mod preamble_reuse;
mod preambles;
mod predefined;
mod preprocessed;
mod recursion;
mod report;
mod run;
mod source_tokens;
mod state;
mod substitute;
mod symbolic;
mod templates;
#[cfg(test)]
mod tests;
mod token;

pub use self::options::{MacroFlag, PreprocessOptions};
pub(crate) use self::preambles::{Preamble, PreambleId};
pub use self::preprocessed::{ObjectMacro, Pragma, Preprocessed};
pub use self::run::preprocess;
pub(crate) use self::run::preprocess_with;
pub(crate) use self::state::PreprocessCache;
pub use premiss_source::NearbyFiles;
