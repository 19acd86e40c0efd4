//! From source text to misses: reads programs, counts them at given sizes, and reports which nests the model covers.
//!
//! Each stage is a type that is computed from the one before:
//!
//! ```text
//! files ──read──▶ Program ──with_profile──▶ Program ──measure──▶ Analysis (a FunctionAnalysis each)
//!                    └──coverage──▶ NestCoverage     └──sweep──▶ FunctionSweep
//! ```
//!
//! [`read()`] turns files into a [`Program`]: a tree for each function with a loop nest, and diagnostics.
//! [`measure()`] counts each function by itself, entered with cold caches, and returns an [`Analysis`]; [`analyze()`]
//! does both. The engine is chosen for each function and line size: a closed form, the trace, or an estimate
//! ([`Engine`], [`Provenance`]). [`sweep()`] counts at many sizes from few derivations. [`coverage()`] tells which
//! nests the model covers, without running anything. References and loops keep the ids of their tree in all results.
//! This crate prints nothing and has no report formats; files come through [`Files`](premiss_source::Files).
//!
//! The misses of a loop over 1024 numbers, which occupy 128 lines:
//!
//! ```
//! use premiss_analyze::{
//!     BudgetScope, Effort, Engine, Hierarchy, Layout, MeasureOptions, MeasureScope, ReadOptions, measure, read,
//! };
//! use premiss_histogram::Counted;
//! use premiss_machine::{CacheLevel, Machine};
//! use premiss_source::{MemoryFiles, SourceMap};
//! use std::collections::BTreeMap;
//!
//! let text = "
//!     double a[1024];
//!     double sum(void) {
//!         double s = 0;
//!         for (int i = 0; i < 1024; i++)
//!             s += a[i];
//!         return s;
//!     }";
//! let mut sources = SourceMap::new();
//! let file = sources.add("sum.c", text.into()).expect("a small file");
//! let program = read(&mut sources, file, &ReadOptions::default(), &MemoryFiles::new());
//!
//! let level = CacheLevel::parse("L1=4KiB,full,64").expect("a level");
//! let machine = Machine::new("one", "", vec![level], Vec::new()).expect("a machine");
//! let options = MeasureOptions {
//!     scope: MeasureScope::Everything,
//!     machine,
//!     hierarchy: Hierarchy::Independent,
//!     layout: Layout::Page4096,
//!     bases: BTreeMap::new(),
//!     engine: Engine::Trace,
//!     budget: 1_000_000,
//!     effort: Effort::DEFAULT,
//!     budget_scope: BudgetScope::Function,
//!     store: None,
//! };
//! let analysis = measure(program, &options);
//! let sum = &analysis.functions[0];
//! assert_eq!(sum.accesses, Counted::Exact(1024));
//! assert_eq!(sum.levels[0].misses, Counted::Exact(128));
//! ```
//!
//! The accesses of a nest may be known without the value of any size; where data decide, they are bounded:
//!
//! ```
//! use premiss_analyze::{CoverageClass, ReadOptions, coverage, read};
//! use premiss_source::{MemoryFiles, SourceMap};
//!
//! let text = "void f(int n, int *p, double *x) { for (int i = 0; i < n; i++) x[p[i]] = 0; }";
//! let mut sources = SourceMap::new();
//! let file = sources.add("scatter.c", text.into()).expect("a small file");
//! let program = read(&mut sources, file, &ReadOptions::default(), &MemoryFiles::new());
//! let nests = coverage(&program.functions[0]);
//! assert_eq!(nests[0].class, CoverageClass::Bounded);
//! assert_eq!(nests[0].reasons[0].code, "data-subscript");
//! ```
//!
//! # Which engine counts what
//!
//! Reuse distances determine the misses of a level that is LRU, allocates on stores, and is independent of other
//! levels. Only such levels have closed forms, formulas, estimates and a split by cause; others are traced, and the
//! report leaves those columns empty. Random replacement is run with eight seeds: its counts are means, labelled
//! estimates, with the least and the largest beside them. Where data decide what is executed, the misses of other kinds
//! of caches are bounded in the first level, by first accesses and all accesses, and unknown below.
//!
//! `engine_choice` decides for each function and line size: `auto` traces for as many steps as a derivation is expected
//! to cost, derives if the trace has not ended by then, and traces to the end only where there is no closed form. The
//! choice depends on steps, not on time: same input, same bytes.
//!
//! TLBs form a chain of their own in every hierarchy: independent, or each seeing the misses of the one before. In the
//! independent hierarchy, bytes and write-backs of LRU write-back levels are traced with a thousandth of the budget,
//! because that takes longer than counting misses.

mod assemble;
mod averages;
mod budget_share;
mod class_formulas;
mod closed_counts;
mod count_error;
mod counts;
mod coverage;
mod diagnostics;
mod engine_choice;
mod example_sizes;
mod front_end;
mod function_analysis;
mod joint_counts;
mod language;
mod layout_change;
mod measure;
mod omission;
mod opaque_regions;
mod operations;
mod options;
mod page_counts;
mod profile;
mod program;
mod ranked_reasons;
mod read_options;
mod run_tasks;
mod set_conflicts;
mod shell_word;
mod size_dataflow;
mod sweep;
mod task;
mod task_results;
mod times;

pub use budget_share::{BudgetScope, expected_steps, halvings, is_quick};
pub use class_formulas::class_formulas;
pub use count_error::CountError;
pub use counts::{LevelCounts, LineCounts, LoopCounts, Provenance, ReferenceCounts};
pub use coverage::{
    Coverage, CoverageClass, CoverageReason, LoopCoverage, NestCoverage, coverage, loop_coverage,
};
pub use diagnostics::{
    ESTIMATED, SAMPLED, SHARED_BUDGET, no_closed_form, size_argument, trace_error,
};
pub use front_end::{read, read_linked};
pub use function_analysis::FunctionAnalysis;
pub use language::Language;
pub use layout_change::LayoutChange;
pub use measure::{Analysis, analyze, measure, measure_each, measure_function};
pub use omission::{Omission, omission};
pub use options::{Engine, Layout, MeasureOptions, MeasureScope};
pub use premiss_ast::{FunctionEffect, FunctionTable, ResultKind};
pub use premiss_c::{MacroFlag, NearbyFiles, check_definition};
pub use premiss_cache::{CacheGeometry, CacheModel, Hierarchy};
pub use premiss_dataflow::DependenceKind;
pub use premiss_distance::{ReferenceHistogram, SymbolicHistogram};
pub use premiss_formulas::{
    CacheKey, CacheSecret, CapacityLimit, CapacityThreshold, CapacityThresholds, ClosedNest,
    CodeQuantity, CodeValue, Combination, Convention, CountForm, Derivation, DerivationStage,
    DiskCache, DistanceCount, Effort, Explanation, Formula, FormulaBuilder, FormulaCase,
    FormulaResult, FunctionCode, FunctionFormulas, FunctionWork, LevelFormula, LoopControl,
    LoopWork, LoopedPieces, MOST_CLASSES, MissGrowth, NestInput, NoClosedForm, Piecewise,
    QuantityTerm, ReferenceExplanation, ReferenceFormulas, ReferenceSet, ResidueClassForm,
    ResidueClasses, ResidueFactors, ReuseExplanation, SetClassForm, Sharing, SizeRange, Slice,
    SliceNode, SymbolicOptions, Witness, WorkBounds, WorkFormula, bounded_formulas, closed_form,
    cold_form, explain, factors, formulas, function_code, growth_for_all_sizes, misses_form,
    print_histogram, print_reuse, print_scop, scop_options, size_conditions, slice, strides,
    symbolic_form, work,
};
pub use premiss_incremental::{
    FileOutcome, IncrementalCache, PathAndBytes, ProgramRecord, SizeNames,
};
pub use premiss_misses::{SignedCount, ThreeC};
pub use premiss_operations::{
    Carried, Counts, ElementKind, ElementTraffic, Form, FunctionCounts, Hindrance, PboundPart,
    PboundRow, Places, Quantity, Scope, Vectorisable, Verdict, pbound_header, pbound_scalars,
};
pub use premiss_parallel as parallel;
pub use premiss_presburger::{
    Affine, Column, Floor, Monomial, Piece, Polynomial, Rational, Refusal, System,
};
pub use premiss_profile::{LocateError, Profile, ProfileError};
pub use premiss_rust::{add_module_files, is_type as is_rust_type};
pub use premiss_scop::{EntityRef, NodeId, NodeKind, Scop, SymbolicParameter};
pub use premiss_time::{
    Arithmetic, Bound, Ceiling, Cost, LevelTraffic, Pattern, PatternClass, Resource, Work, peak,
    roofs,
};
pub use premiss_trace::{AddressedAccess, SEEDS, Spread, TraceError, Traffic};
pub use program::Program;
pub use ranked_reasons::{RankedReason, rank};
pub use read_options::{PreprocessorOptions, ReadOptions};
pub use set_conflicts::{
    LayoutRemedy, LevelConflicts, ReferenceConflicts, ReuseConflicts, SharedSet, set_conflicts,
};
pub use shell_word::shell_word;
pub use sweep::{FunctionSweep, Point, SweepPoint, SweepThreshold, sweep};
pub use task::show_accesses;
pub use times::{NoEstimate, PatternMisses, Time, Times, VectorEstimate};
