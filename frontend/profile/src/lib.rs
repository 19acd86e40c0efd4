//! Profiles: how often the lines of a program ran, as gcov has counted, and the averages of loops and
//! branches that follow from that.
//!
//! ```text
//! k.gcov.json.gz ──gcov──▶ Profile ──located_profile──▶ LocatedProfile ──averages──▶ Averages of a tree
//!                                          ▲                                ▲
//!                                      the source                        NestTree
//! ```
//!
//! [`Profile`] knows names of files, lines and counts. [`LocatedProfile`] is the same for the files of a
//! [`SourceMap`](premiss_source::SourceMap), which it was checked against: a profile of another version of a text is
//! refused. [`averages()`] computes how often each loop of a function repeats its body and each arm of a branch
//! runs. Sizes of the profiled run do not matter then, as far as averages do not depend
//! on them.
//!
//! [`Directives`] are assumptions in comments of the text: `premiss:assume`.
//!
//! What follows from no count stays unknown: where the body of a loop shares its line with others, or was
//! never reached.
//!
//! # What is trusted
//!
//! A profile that cannot be of this version of a text is refused: functions have to begin where they do, and lines with counts to have
//! text. A list of nodes ran as often as the lines on which nothing else stands; the rest follows from the two ways out of a
//! condition, and so does what compilers add to lines.
//!
//! # What comments assume
//!
//! Comments are found by `premiss_source`, since parsers throw them away (and `syn` has none); `assumptions/directive` and
//! `assumptions/size_relation` read one.
//! Trip counts and probabilities become averages in the place where those of profiles go, which count before. Relations between
//! sizes become bounds of the tree, which `premiss_scop` takes for granted, so that they are in the context of each closed form.
//! What nothing used is reported.

mod assumptions;
mod averages;
mod gcov;
mod gcov_document;
mod list_counter;
mod located_profile;
mod node_lists;

pub use assumptions::{Directives, ProgramSizes};
pub use averages::{Gap, GapReason, ProfileAverages, averages};
pub use gcov::{FileCounts, FunctionCount, LineCount, Profile, ProfileError};
pub use located_profile::{LocateError, LocatedProfile};
