//! Loop nests as sets: iteration domains, order, and the lines that each access touches.
//!
//! A [`Scop`] keeps the loop tree instead of a global schedule space: execution order is the order
//! of children, and of iterations within a loop. Loops whose iterators decide the place in a line
//! are strip-mined, `v = 8·v1 + v2`, so that the line of an access is an affine function of the
//! iteration vector on each of a few domains, true row lengths included.
//!
//! [`lower`] turns a tree into a [`Scop`]. Integers are assumed not to overflow 64 bits.
//!
//! # Inside
//!
//! Sizes are numbers, or `factor·x + residue` with `x` a column. The steps, in order:
//!
//! 1. Symbolic execution (`execute`, `evaluate`, `condition`). Every integer becomes polynomials in iterators and
//!    sizes, case by case, with floors for quotients by constants. A variable that iterations move by a fixed amount is
//!    solved for, and so are those that they exchange (`rotation`); any other that a loop carries is rejected where it is
//!    used. A value that leaves its type's range by
//!    less than 2^bits is one more case, and so is one that wraps around at a size (`quotient`). A loop over a product
//!    of sizes is one over each of them (`product_loops`). A table of constants is one affine function of its index on each of a few
//!    ranges (`table`).
//!    Where data decide a condition, [`lower_possible`] executes both arms, and what they access is *possible* (`partial_truth`).
//! 2. Delinearisation (`delinearise`): offsets in bytes become subscripts of rows, by the strides that the array is
//!    declared with or those that the coefficients show. A subscript that may leave its row merges the row with the row
//!    around it; in the end an array is one row of bytes.
//! 3. Strip-mining (`strip`): iterators that decide the place in a line, and what they are compared with. Where an
//!    array is walked through in different steps, `a[3*i]` and `a[j]`, the blocks of each walk are whole blocks of the
//!    others.
//! 4. Coordinates of lines (`lines`). Rows that are no multiple of the line are counted in bands that are, nested for
//!    planes, so that two accesses touch the same line if and only if their coordinates agree. Floors are gone by then:
//!    blocks are columns, and each place within a block that matters is a piece.
//! 5. What may lie outside its array, or on a line of another, is rejected (`apart`), unless a condition on sizes rules
//!    it out, as one may keep subscripts in their rows (`size_conditions`): `8 <= n` for `a[i][7]`. The context of the scop
//!    has these conditions, and says nothing of other sizes. Domains repeat the context, or operations on sets would
//!    distinguish cases that do not occur.
//!
//! Pages, of which rows are no multiple, are not named by coordinates: [`page_scop`] makes the element that a page starts with
//! a parameter of a scop of elements (`pages`).
//!
//! The context also excludes sizes at which an unsigned 64-bit number wraps around: no expression holds such numbers.
//!
//! `testdata/runner` executes scops point by point and compares every access with the trace engine, on all kernels and
//! on random nests.

mod apart;
mod build;
mod columns;
mod condition;
mod delinearise;
mod display;
mod elements;
mod evaluate;
mod execute;
mod iteration_range;
mod lines;
mod lower;
mod options;
mod pages;
mod partial_truth;
mod polynomial;
mod product_loops;
mod quotient;
mod reject;
mod rotation;
mod scop;
mod size_conditions;
mod spaces;
mod strides;
mod strip;
mod table;
#[cfg(test)]
mod test_forms;

pub use cranelift_entity::EntityRef;
pub use display::ScopNames;
pub use elements::lower_elements;
pub use lower::{lower, lower_possible};
pub use options::{ArrayLayout, ScopOptions, Size};
pub use pages::{PageScop, page_scop};
pub use premiss_tree::{AccessKind, ArrayId, LoopId, ParameterId, ReferenceId};
pub use reject::{ExpressionSite, Obstacle, Reject};
pub use scop::{
    Access, Certainty, Direction, LineCoordinate, LineSpace, LineSpaceId, Node, NodeId, NodeKind,
    Piece, Scop, SymbolicParameter,
};
pub use strides::{Formula, SizePolynomial, Stride, formulae, similar, value_of};
