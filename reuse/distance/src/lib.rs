//! Reuse-distance histograms as closed forms in a program's own sizes.
//!
//! [`derive()`] turns a [`ReuseRelation`](premiss_dataflow::ReuseRelation) into a
//! [`SymbolicHistogram`]: for each reference a list of (distance, number of accesses) in which both
//! are polynomials in the sizes that are symbolic, and in the few loop variables that the distance
//! itself depends on.
//!
//! # Inside
//!
//! - `between` counts the lines of the parts in between, array by array, as functions of the sink's iteration, whose
//!   variables are solved for where the domain determines them. Equal queries are answered once.
//! - `derive` makes entries: distance and number of accesses, in which every loop variable that the distance does not
//!   contain is summed out. Entries of one distance are joined (`gather`).
//! - What needs no numbers is done once (`prepared`): it separates what depends on sizes alone from what depends on loop
//!   variables too.
//! - Sizes then make a histogram of it (`sized`): most entries have one distance, or one on a line (`line`). For
//!   others, `threshold` counts where a distance is at least a capacity by deciding whole boxes, so that the work
//!   hardly grows with sizes. Pieces with floors of loop variables are taken as they are: with sizes, `columns` solves
//!   equalities and knows most floors.
//!
//! The oracle is the trace: `testdata/runner/tests/oracles/closed_form*.rs` compare whole histograms, reference by reference,
//! on kernels and on random nests. `cargo bench -p premiss-testdata --bench closed -- large` prints what it costs; with
//! `extralarge` for sizes twice as large beside it, with `class 0` for symbolic sizes of one residue class.

mod between;
mod columns;
mod count_cache;
mod derive;
mod display;
mod domain_table;
mod floor_moments;
mod floor_sums;
mod form;
mod frame;
mod fuse;
mod gather;
mod line;
mod part;
mod prepared;
mod projection;
mod row;
mod sets;
mod shape;
mod shares;
mod sized;
mod sizes;
mod split_pieces;
mod summed_axis;
mod threshold;
mod total;

pub use derive::derive;
pub use form::{HistogramEntry, ReferenceHistogram, SymbolicHistogram};
pub use prepared::PreparedHistogram;
pub use sets::{
    ClassMisses, ConflictSets, PageConflicts, class_misses, conflict_sets, page_conflicts,
    sizes_that_move_lines,
};
pub use sized::{SizedHistogram, SizedReference};
