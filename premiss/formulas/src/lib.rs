//! Closed forms: the cache behaviour and the operations of a function, as formulas in its own sizes.
//!
//! A [`NestTree`](premiss_tree::NestTree) goes in. [`closed_form()`] derives its reuse-distance histogram with the
//! sizes left symbolic, [`symbolic_form()`] does so for one residue class of them; [`formulas()`], [`explain()`],
//! [`work()`], [`function_code()`] and [`slice()`] turn the histogram, or the iteration counts of the loops, into
//! formulas for readers and for code generators; [`growth_for_all_sizes()`] compares two programs for every size at
//! once. This crate runs no loops, reads no baseline and makes no reports. Formulas count levels as fully associative,
//! because reuse distances do not depend on sets; at given sizes an [`Explanation`] has the misses in sets, also of arrays
//! with longer rows or in other places ([`LineLayout`]).
//!
//! The result of a derivation depends only on the tree, the question and the effort, so that it can be cached in a
//! [`DiskCache`] between runs.
//!
//! A [`Formula`] is a sum of cases, or a choice among disjoint ones, over the columns of the sizes:
//!
//! ```
//! use premiss_formulas::{Formula, FormulaCase, Piecewise};
//! use premiss_presburger::{Affine, Column, Polynomial, Rational, Refusal, System};
//!
//! # fn main() -> Result<(), Refusal> {
//! // 2 n, and 5 more where n >= 10.
//! let always = FormulaCase {
//!     domain: System::universe(1),
//!     not_negative: Vec::new(),
//!     value: Polynomial::variable(Column::new(1))?.scaled(Rational::integer(2))?,
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
//! A form depends on remainders of sizes; which ones is found by trying, until lowering names no more.
//! `formula_builder` adds up the pieces of a histogram: all accesses, cold ones, those at a distance of at least a
//! given number of lines. `regimes` makes one formula for each range of a single size: where a polynomial condition
//! changes is found exactly, by bisection between the changes of its differences. `explain` derives again for one
//! predecessor, and for one array in between, by leaving the rest out of the reuse relation.
//!
//! For a capacity that is itself a size, accesses are summed where `Q(sizes) + L(loop variables) >= C`, with `L`
//! linear: this is `L >= C - Q`, and `C - Q` is one number of any degree. Loop variables that are factors of products
//! are enumerated.
//!
//! `slice` makes the PBound slice of a function from its `Work`: nest by nest, from the outside in, with the variables
//! that were assigned before as sizes. If the bounds of a loop are not affine, its trip count is an additional size,
//! computed when the slice runs; if that does not help, the loop stays, with the slice of its body.
//!
//! The key of a cached derivation is a BLAKE3 digest of all that it depends on: the scop without its ids of references,
//! loops, arrays and sizes (a scop has no names and no positions anyway), the effort, and the program (a digest of the
//! sources of everything from sets to distances, so that results of an older engine are not found). So an edit derives
//! again only the functions whose accesses it changes. A refusal is cached like a result. What is read back is
//! validated; an invalid file counts as absent.

mod cache_secret;
mod capacity_sum;
mod capacity_threshold;
mod closed_form;
mod columns;
mod derivation_cache;
mod disk_cache;
mod explain;
mod formula;
mod formula_builder;
mod function_code;
mod function_formulas;
mod merge_cases;
mod miss_growth;
mod page_form;
mod refusal;
mod regimes;
mod residue_classes;
mod set_classes;
mod set_conflicts;
mod sharing;
mod size_conditions;
mod slice;
mod stages;
mod strides;
mod univariate;
mod work;

pub use cache_secret::CacheSecret;
pub use capacity_sum::{CountForm, LoopedPieces, cold_form, misses_form};
pub use capacity_threshold::{CapacityThreshold, CapacityThresholds};
pub use closed_form::{Derivation, closed_form, pieces_of_accesses, scop_options};
pub use disk_cache::{CacheKey, DiskCache};
pub use explain::{Explanation, ReferenceExplanation, ReuseExplanation, explain};
pub use formula::{DistanceCount, Formula, FormulaCase, Piecewise};
pub use formula_builder::FormulaBuilder;
pub use function_code::{
    CodeQuantity, CodeValue, Combination, FunctionCode, MOST_CLASSES, QuantityTerm,
    ResidueClassForm, ResidueClasses, function_code,
};
pub use function_formulas::{
    FormulaResult, FunctionFormulas, LevelFormula, ReferenceFormulas, bounded_formulas, formulas,
};
pub use miss_growth::{
    CapacityLimit, MissGrowth, ReferenceSet, SizeRange, Witness, growth_for_all_sizes,
};
pub use page_form::PageForm;
pub use refusal::{DerivationStage, Effort, NoClosedForm};
pub use residue_classes::{
    DerivationOptions, ResidueFactors, SymbolicOptions, factors, symbolic_form,
};
pub use set_classes::{ArrayBases, SetClassForm, set_class_form};
pub use set_conflicts::{LineLayout, LinesInSet, RowPadding};
pub use sharing::Sharing;
pub use size_conditions::size_conditions;
pub use slice::{ClosedNest, LoopControl, NestInput, Slice, SliceNode, slice};
pub use stages::{print_histogram, print_reuse, print_scop};
pub use strides::strides;
pub use work::{Convention, FunctionWork, LoopWork, WorkBounds, WorkFormula, work};
