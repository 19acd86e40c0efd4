//! Profiles: execution counts of the lines of a program from gcov, and the average execution counts of loops and
//! branches that follow from them.
//!
//! ```text
//! k.gcov.json.gz ──gcov──▶ Profile ──located_profile──▶ LocatedProfile ──averages──▶ Averages of a tree
//!                                          ▲                                ▲
//!                                      the source                        NestTree
//! ```
//!
//! [`Profile`] has file names, lines and counts. [`LocatedProfile`] matches it with the files of a
//! [`SourceMap`](premiss_source::SourceMap) and checks it: a profile of another version of a text is refused.
//! [`averages()`] computes the average number of executions of each loop body and each arm of a branch. The sizes of
//! the profiled run then only matter as far as averages depend on them.
//!
//! [`Directives`] are assumptions in comments of the source: `premiss:assume`.
//!
//! Averages that do not follow from any count stay unknown: for example if the body of a loop shares its line with
//! other code, or was never reached.
//!
//! # Which counts are used
//!
//! A profile that is inconsistent with the text is refused: functions must begin on the same lines, and lines with
//! counts must have text. A list of nodes has the count of the lines that contain nothing else; the rest follows from
//! the counts of the two ways out of conditions, which also reveal jumps that compilers attribute to lines.
//!
//! # Assumptions in comments
//!
//! Comments are found by `premiss_source`, since parsers discard them (and `syn` does not provide them);
//! `assumptions/directive` and `assumptions/size_relation` parse them. Trip counts and probabilities become averages,
//! as those of profiles do, which take precedence. Relations between sizes become bounds of the tree, which
//! `premiss_scop` assumes, so that they are in the context of each closed form. Unused assumptions are reported.

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
