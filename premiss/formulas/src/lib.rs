//! Closed forms: what a function does to caches and what it computes, as formulas in its own sizes.
//!
//! A [`NestTree`](premiss_tree::NestTree) goes in. [`closed_form()`] derives its reuse-distance
//! histogram with the sizes left symbolic, [`symbolic_form()`] does so for one residue class of them;
//! [`formulas()`], [`explain()`], [`work()`], [`function_code()`] and [`slice()`] turn the histogram, or
//! the iteration counts of the loops, into formulas for readers and for code generators;
//! [`growth_for_all_sizes()`] compares two programs for every size at once. Nothing here runs a loop,
//! knows a baseline or decides what to report. Levels count as fully associative, as reuse distances do.
//!
//! What a derivation finds depends on the tree, the question and the effort alone, so that it can be
//! found again in a [`DiskCache`] between runs.
//!
//! A [`Formula`] is a sum of cases, or a choice among disjoint ones, over the columns of the sizes:
//!
//! ```
//! use premiss_formulas::{Formula, FormulaCase, Piecewise};
//! use premiss_presburger::{Affine, Polynomial, Rational, Refusal, System};
//!
//! # fn main() -> Result<(), Refusal> {
//! // 2 n, and 5 more where n >= 10.
//! let always = FormulaCase {
//!     domain: System::universe(1),
//!     not_negative: Vec::new(),
//!     value: Polynomial::variable(1)?.scaled(Rational::integer(2))?,
//! };
//! let mut large = System::universe(1);
//! large.inequalities.push(Affine::new(vec![-10, 1]));
//! let beyond = FormulaCase {
//!     domain: large,
//!     not_negative: Vec::new(),
//!     value: Polynomial::integer(5),
//! };
//! let formula = Formula {
//!     cases: vec![always, beyond],
//!     piecewise: Piecewise::Sum,
//! };
//! assert_eq!(formula.at(&[4])?, Rational::integer(8));
//! assert_eq!(formula.at(&[10])?, Rational::integer(25));
//! # Ok(())
//! # }
//! ```
//!
//! # Inside
//!
//! A form depends on remainders of sizes; which ones is found by asking, until lowering names no more. `formula` adds up the pieces
//! of a histogram: all accesses, cold ones, those at a distance of at least so many lines. `regimes` makes one formula for each range
//! of a single size: where a polynomial condition changes is found exactly, by bisection between the changes of its differences.
//! `explain` derives again for one predecessor, and for one array in between, by leaving the rest out of the reuse relation.
//!
//! For a capacity that is itself a size, accesses are summed where `Q(sizes) + L(loop variables) >= C`, with `L` linear: this is
//! `L >= C - Q`, and `C - Q` is one number of any degree. Loop variables that are factors of products are gone through one by one.
//!
//! `slice` makes the slice of PBound of a function from its `Work`: nest by nest, from the outside in, with the variables that are
//! set before as sizes. Where a loop's bounds are not affine, its number of iterations is one size more, computed when the slice runs;
//! where that does not help, the loop stays, with what its body is.
//!
//! The key of a cached derivation is a BLAKE3 digest of all that it depends on: the scop without its numbers of references, loops,
//! arrays and sizes (a scop has no names and no positions anyway), the effort, and the program (a digest of the sources of
//! everything from sets to distances, so that a change of an engine finds nothing of the old one). So an edit derives again the
//! functions whose accesses it changes, and no others. A refusal is cached like an answer. What is read back is checked; a file about
//! which anything is wrong counts as absent.

mod capacity_sum;
mod capacity_threshold;
mod closed_form;
mod derivation_cache;
mod disk_cache;
mod explain;
mod formula;
mod formula_builder;
mod function_code;
mod function_formulas;
mod merge_cases;
mod miss_growth;
mod refusal;
mod regimes;
mod residue_classes;
mod sharing;
mod slice;
mod stages;
mod strides;
mod univariate;
mod work;

pub use capacity_sum::{CountForm, LoopedPieces, cold_form, misses_form};
pub use capacity_threshold::{CapacityThreshold, CapacityThresholds};
pub use closed_form::{Derivation, closed_form, question};
pub use disk_cache::{CacheKey, DiskCache};
pub use explain::{Explanation, ReferenceExplanation, ReuseExplanation, explain};
pub use formula::{DistanceCount, Formula, FormulaCase, Piecewise};
pub use formula_builder::FormulaBuilder;
pub use function_code::{
    CodeQuantity, CodeValue, Combination, FunctionCode, MOST_CLASSES, QuantityTerm,
    ResidueClassForm, ResidueClasses, function_code,
};
pub use function_formulas::{
    FormulaResult, FunctionFormulas, LevelFormula, ReferenceFormulas, formulas,
};
pub use miss_growth::{CapacityLimit, MissGrowth, ReferenceSet, Witness, growth_for_all_sizes};
pub use refusal::{DerivationStage, Effort, NoClosedForm};
pub use residue_classes::{
    DerivationOptions, ResidueFactors, SymbolicOptions, factors, symbolic_form,
};
pub use sharing::Sharing;
pub use slice::{ClosedNest, LoopControl, NestInput, Slice, SliceNode, slice};
pub use stages::{print_histogram, print_reuse, print_scop};
pub use strides::strides;
pub use work::{Convention, FunctionWork, LoopWork, WorkBounds, WorkFormula, work};
