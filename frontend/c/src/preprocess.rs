//! The C preprocessor: from files to one text without directives and macros (C11, phases 2 to 4).
//!
//! It runs in this process and opens nothing by itself: headers come from the caller's
//! [`Files`], the standard headers are built in, and the predefined macros are those of GCC on x86-64
//! Linux. So the same program means the same on every machine.
//!
//! Every token keeps where it was written. A token of a file, also one passed as a macro argument,
//! has its own place; a token of a macro's replacement list has the place of the outermost
//! invocation. With `#define AT(i,j) a[(i)*n+(j)]`, the text that `AT(i+1,j)` leaves is
//! `a[(i+1)*n+(j)]`; its `i+1` has its own place, and the subscript as a whole `AT(i+1,j)`.
//!
//! Nothing here fails: what is malformed is reported and passed over, and every input ends.

mod budget;
mod condition;
mod directives;
mod expand;
mod headers;
mod include;
mod integers;
mod lex;
mod macros;
mod nearby;
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
#[cfg(test)]
mod tests;
mod token;

pub use self::nearby::NearbyFiles;
pub use self::options::{MacroFlag, PreprocessOptions};
pub(crate) use self::preambles::{Preamble, PreambleId};
pub use self::preprocessed::{ObjectMacro, Pragma, Preprocessed};
pub use self::run::preprocess;
pub(crate) use self::run::preprocess_with;
pub(crate) use self::state::PreprocessCache;
