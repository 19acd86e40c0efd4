//! The published form of a report: types are only extended. Their names in the schema are their former names.

use crate::number::{Integer, Number};
use crate::operations::{OperationsJson, StatementJson};
use crate::time::{PatternJson, TimeJson};
use crate::vector::VectorJson;
use premiss_analyze::Coverage;
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The version of the form: its first number changes if readers could misunderstand the new form.
pub const SCHEMA_VERSION: &str = "1.0";

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Report")]
pub(crate) struct ReportJson<'a> {
    pub(super) schema_version: &'static str,
    pub(super) machine: MachineJson<'a>,
    pub(super) hierarchy: &'static str,
    pub(super) layout: &'static str,
    pub(super) functions: Vec<FunctionJson<'a>>,
    pub(super) coverage: CoverageJson,
    pub(super) assumptions: &'a [String],
    pub(super) diagnostics: Vec<DiagnosticJson<'a>>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct MachineJson<'a> {
    pub(super) name: &'a str,
    pub(super) id: String,
    pub(super) hash: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) title: &'a str,
    pub(super) caches: Vec<CacheJson<'a>>,
    pub(super) tlbs: Vec<TlbJson<'a>>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Cache")]
pub(super) struct CacheJson<'a> {
    pub(super) name: &'a str,
    pub(super) size: u64,
    pub(super) ways: u64,
    pub(super) sets: u64,
    pub(super) line_size: u64,
    pub(super) fully_associative: bool,
    pub(super) replacement: &'static str,
    pub(super) write: &'static str,
    pub(super) allocate: &'static str,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Tlb")]
pub(super) struct TlbJson<'a> {
    pub(super) name: &'a str,
    pub(super) entries: u64,
    pub(super) ways: u64,
    pub(super) sets: u64,
    pub(super) page_size: u64,
    pub(super) fully_associative: bool,
    pub(super) replacement: &'static str,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Function")]
pub(super) struct FunctionJson<'a> {
    pub(super) name: &'a str,
    pub(super) file: &'a str,
    pub(super) line: u32,
    pub(super) parameters: BTreeMap<&'a str, Option<Integer>>,
    pub(super) engine: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) engine_reason: Option<&'a str>,
    pub(super) accesses: Number,
    pub(super) loads: Number,
    pub(super) stores: Number,
    pub(super) lines: Vec<LineJson>,
    pub(super) levels: Vec<LevelJson<'a>>,
    pub(super) operations: OperationsJson,
    pub(super) time: TimeJson,
    pub(super) loops: Vec<LoopJson<'a>>,
    pub(super) references: Vec<ReferenceJson<'a>>,
    /// What statements compute, in the order of the text.
    pub(super) statements: Vec<StatementJson<'a>>,
    /// How references move, with what that alone promises of misses.
    pub(super) patterns: Vec<PatternJson<'a>>,
    pub(super) nests: Vec<NestJson<'a>>,
    pub(super) coverage: CoverageJson,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Line")]
pub(super) struct LineJson {
    pub(super) line_size: u64,
    pub(super) cold: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) histogram: Option<Vec<BinJson>>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Entry")]
pub(super) struct BinJson {
    pub(super) distance: DistanceJson,
    pub(super) count: CountJson,
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum DistanceJson {
    Known(Integer),
    Bounded {
        lower: Integer,
        /// Null where it may be the first access to its line.
        upper: Option<Integer>,
    },
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "Count")]
pub(super) enum CountJson {
    Exact(Integer),
    Bounded(Number),
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Level")]
pub(super) struct LevelJson<'a> {
    pub(super) name: &'a str,
    /// Null where no engine has its misses.
    pub(super) engine: Option<&'static str>,
    pub(super) misses: Number,
    pub(super) load_misses: Number,
    pub(super) store_misses: Number,
    pub(super) compulsory: Number,
    pub(super) capacity: Number,
    pub(super) conflict: Number,
    pub(super) estimate: Number,
    /// Absent for TLBs, as are the bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) write_backs: Option<Number>,
    /// Bytes read from the level below.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bytes_read: Option<Number>,
    /// Bytes written to the level below.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bytes_written: Option<Number>,
    /// Present where chance decides what is replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) spread: Option<SpreadJson>,
    /// Of a sample: holds the misses with a probability of 95 %.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) interval: Option<RangeJson>,
}

/// The least and the largest results over several seeds.
#[derive(Serialize, JsonSchema)]
pub(super) struct SpreadJson {
    pub(super) seeds: usize,
    pub(super) misses: RangeJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) write_backs: Option<RangeJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bytes_read: Option<RangeJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bytes_written: Option<RangeJson>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Ends")]
pub(super) struct RangeJson {
    pub(super) least: Integer,
    pub(super) largest: Integer,
}

impl From<(u64, u64)> for RangeJson {
    fn from((least, largest): (u64, u64)) -> Self {
        Self {
            least: least.into(),
            largest: largest.into(),
        }
    }
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Misses")]
pub(super) struct LevelMissesJson<'a> {
    pub(super) name: &'a str,
    pub(super) misses: Number,
}

/// Where something of a function stands, with the file and function where those are others.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Place")]
pub(super) struct PlaceJson<'a> {
    pub(super) line: u32,
    pub(super) column: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) function: Option<&'a str>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Loop")]
pub(super) struct LoopJson<'a> {
    #[serde(flatten)]
    pub(super) place: PlaceJson<'a>,
    pub(super) iterator: &'a str,
    pub(super) depth: usize,
    pub(super) accesses: Number,
    pub(super) loads: Number,
    pub(super) stores: Number,
    pub(super) operations: OperationsJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) vectorisable: Option<VectorJson>,
    /// Of the arithmetic on real numbers, with vectors and fused pairs for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) instructions: Option<Number>,
    pub(super) time: TimeJson,
    pub(super) levels: Vec<LevelMissesJson<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) lines: Vec<LineJson>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Reference")]
pub(super) struct ReferenceJson<'a> {
    #[serde(flatten)]
    pub(super) place: PlaceJson<'a>,
    pub(super) text: &'a str,
    pub(super) array: &'a str,
    pub(super) kind: &'static str,
    pub(super) accesses: Number,
    pub(super) levels: Vec<LevelMissesJson<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) lines: Vec<LineJson>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Nest")]
pub(crate) struct NestJson<'a> {
    pub(super) file: Cow<'a, str>,
    pub(super) line: u32,
    pub(super) class: &'static str,
    /// Whether it stands inside of an unknown one, and counts by itself.
    pub(super) is_inner: bool,
    pub(super) reasons: Vec<ReasonJson<'a>>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct ReasonJson<'a> {
    pub(super) file: Cow<'a, str>,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) class: &'static str,
    pub(super) text: &'a str,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct CoverageJson {
    pub(super) exact: u64,
    pub(super) bounded: u64,
    pub(super) unknown: u64,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct DiagnosticJson<'a> {
    pub(super) code: &'static str,
    pub(super) severity: &'static str,
    pub(super) message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) help: Option<&'a str>,
    /// The misses that a finding rests on, where they come from a sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) misses: Option<Number>,
}

impl From<Coverage> for CoverageJson {
    fn from(coverage: Coverage) -> Self {
        Self {
            exact: coverage.exact,
            bounded: coverage.bounded,
            unknown: coverage.unknown,
        }
    }
}
