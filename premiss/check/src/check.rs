//! The engine of `premiss check`: reads files as one program, counts, and applies the rules.
//!
//! ```text
//! files ──analyze_file──▶ FileResult each ──merge──▶ CheckResult ──levels──▶ CheckedProgram
//!            ▲      │                          ▲
//!            └cache◀┘            shards ──merge_shards
//! ```
//!
//! The result of a file depends only on the texts, the options and the machine. So a cached result can replace one that
//! would be computed ([`check()`]), and the results of shards that ran elsewhere can be merged ([`merge_shards`]): both
//! give the result of one run without a cache.

mod analyze_file;
mod cached_result;
mod check_cache;
mod checked_program;
mod decode;
mod file_texts;
mod include_deps;
mod measure_queue;
mod merge_shards;
mod previous_run;
mod request;
mod result_record;
mod shard_record;
mod shard_run;
mod span_map;

pub use check_cache::CacheWriter;
pub use checked_program::{CheckedProgram, RuleLevel, RuleLevels};
pub use merge_shards::merge_shards;
pub use request::{CheckRequest, check};
pub use shard_record::{MachineRecord, ShardFile, ShardRecord};
pub use shard_run::check_shard;
