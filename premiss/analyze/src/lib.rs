//! From source text to misses: the whole road, for those who want to walk it in one step.
//!
//! [`read()`] turns a C file into a [`Program`]; [`measure()`] runs each of its functions and returns an
//! [`Analysis`]; [`analyze()`] is both. [`coverage()`] says of a function, without running it, which of
//! its nests the model covers. Nothing here prints, reads files or knows how a report looks.

mod attempt;
mod averaged;
mod capacity;
mod closed;
mod code;
mod compare;
mod coverage;
mod explain;
mod flow;
mod formula;
mod formulas;
mod function;
mod kept;
mod losses;
mod measure;
mod operations;
mod options;
mod problem;
mod profile;
mod program;
mod ranges;
mod ranking;
mod read_options;
mod record;
mod regimes;
mod relation_record;
mod sharing;
mod slice;
mod store;
mod strides;
mod sweep;
mod symbolic;
mod task;
mod time;
mod work;

pub use attempt::CountError;
pub use capacity::{CountForm, LoopedPieces, cold_form, misses_form};
pub use closed::{Derivation, Effort, NoForm, Stage, closed_form, question};
pub use code::{
    ClassForm, Classes, CodeQuantity, CodeValue, Combination, FunctionCode, MOST_CLASSES, Term,
    function_code,
};
pub use compare::{Capacity, Growth, Part, Witness, growth_for_all_sizes};
pub use coverage::{Class, Coverage, LoopCoverage, NestCoverage, Reason, coverage, loop_coverage};
pub use explain::{Explanation, ReuseStory, Story, explain};
pub use formula::{Case, Cases, DistanceCount, Formula, Formulas};
pub use formulas::{Formulated, FunctionFormulas, LevelFormula, ReferenceFormulas, formulas};
pub use function::{
    Answered, FunctionAnalysis, LevelCounts, LineCounts, LoopCounts, ReferenceCounts,
};
pub use losses::{Losses, LostFrom};
pub use measure::{Analysis, DENSE, analyze, measure};
pub use options::{Engine, Layout, MeasureOptions, Wanted};
pub use premiss_ast::{FunctionEffect, FunctionTable, ResultKind};
pub use premiss_c::{MacroFlag, NearbyFiles, check_definition};
pub use premiss_cache::{CacheGeometry, CacheModel, Hierarchy};
pub use premiss_dataflow::DependenceKind;
pub use premiss_distance::{ReferenceHistogram, SymbolicHistogram};
pub use premiss_incremental::{
    IncrementalCache as Memory, PathAndBytes as Text, ProgramRecord as ProgramMemory,
};
pub use premiss_misses::{SignedCount, ThreeC};
pub use premiss_operations::{
    Carried, Counts, ElementKind, Form, FunctionCounts, Hindrance, Moved, PboundPart, PboundRow,
    Places, Quantity, Scope, Vectorisable, Verdict, pbound_header, pbound_scalars,
};
pub use premiss_parallel as parallel;
pub use premiss_presburger::{
    Affine, Floor, Monomial, Piece, Polynomial, Rational, Refusal, System,
};
pub use premiss_profile::{LocateError, Profile, ProfileError};
pub use premiss_rust::add_module_files;
pub use premiss_scop::{EntityRef, NodeId, NodeKind, Scop, SymbolicParameter};
pub use premiss_time::{
    Arithmetic, Bound, Ceiling, Class as PatternClass, Cost, Moved as MovedBytes, Pattern,
    Resource, Work, peak, roofs,
};
pub use premiss_trace::{AddressedAccess, SEEDS, Spread, TraceError, Traffic};
pub use problem::{no_closed_form, trace_error};
pub use program::{Language, Program, read, read_linked, read_remembering};
pub use ranking::{RankedReason, rank};
pub use read_options::{PreprocessorOptions, ReadOptions};
pub use sharing::Sharing;
pub use slice::{ClosedNest, Header, Input, Slice, SliceNode, slice};
pub use store::{Key, Store};
pub use strides::strides;
pub use sweep::{FunctionSweep, Point, SweepPoint, Threshold, sweep};
pub use symbolic::{Factors, SymbolicOptions, factors, symbolic_form};
pub use task::show_accesses;
pub use time::{Narrowed, NoCost, Time, Times, Walk};
pub use work::{Convention, FunctionWork, LoopWork, WorkBounds, WorkFormula, work};
