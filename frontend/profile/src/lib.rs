//! Profiles: how often the lines of a program ran, as gcov has counted, and the averages of loops and
//! branches that follow from that.
//!
//! ```text
//! k.gcov.json.gz ──gcov──▶ Profile ──located──▶ Located ──averages──▶ Averages of a tree
//!                                      ▲                      ▲
//!                                 the source              NestTree
//! ```
//!
//! [`Profile`] knows names of files, lines and counts. [`Located`] is the same for the files of a
//! [`SourceMap`](premiss_source::SourceMap), which it was checked against: a profile of another version of a text says
//! nothing of this one. [`averages()`] says of a function how often each loop repeats its body and each
//! arm of a branch runs. Sizes of the profiled run do not matter then, as far as averages do not depend
//! on them.
//!
//! [`Directives`] are what comments in the text say of it: `premiss:assume`.
//!
//! What counts cannot tell stays unknown: where the body of a loop shares its line with others, or was
//! never reached.

mod assumed;
mod averages;
mod gcov;
mod lists;
mod located;

pub use assumed::{Directives, KnownSizes};
pub use averages::{Found, Gap, Why, averages};
pub use gcov::{FileCounts, FunctionCount, LineCount, Profile, ProfileError};
pub use located::{LocateError, Located};
