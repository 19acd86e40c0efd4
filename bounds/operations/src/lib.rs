//! How many operations, loads and stores a function runs, by kind and precision.
//!
//! What stands in a straight line runs equally often: a place is a list of nodes, such as the body of a
//! loop or an arm of a branch. [`Places`] finds how often each place is executed, as a quasi-polynomial
//! in the sizes; everything else is a sum over places, weighted with what stands in them.
//!
//! ```text
//! for (i = 0; i < n; i++)           body of i: n times
//!     for (j = 0; j <= i; j++)      body of j: n(n+1)/2 times
//!         s += a[i][j] * x[j];      1 mul, 1 add: n(n+1)/2 of each
//! ```
//!
//! In an arm that data choose, the executions of a place are between zero and their number if the arm were always
//! taken; in a loop of unknown trip count they are unknown. The averages of a profile make estimates of both.
//!
//! # Inside
//!
//! Operations are recorded during lowering, as they are written; those of a loop's header belong to the loop, and those
//! in subscripts are kept apart. Lowering yields two bodies: the tree, without operations and without branches that
//! only choose between some, and its [`Work`](premiss_tree::Work), with them. Ids of loops, references, sizes and
//! variables are the same in both. So no number about misses depends on arithmetic, and no size is needed because a
//! condition on a sum mentions it.
//!
//! A tree in which each place is one access (`marked`) is lowered to sets, and their points are counted (`derive`).
//! What lowering refuses is taken out, a loop as unknown or a branch as possible, and lowering is tried again.
//! `enumerate` runs the same tree in the trace; reports do so where it is quick or nothing else is exact. `pbound` has
//! the convention of PBound: scalars are loaded once, headers count, a fused pair is one operation.
//!
//! **Averages** go from the outside in (`averaged`): where sizes decide, how often a place is executed for each time
//! that the one around it is, is exact whatever the profiled sizes were; where data do, it is the average. Bounds stay
//! beside estimates, so that an estimate lies between them, and a sum of which a part has no estimate keeps its bounds.
//!
//! **Vectors** (`vector`): for each innermost loop, whether its iterations may run side by side, and what hinders them.
//! Scalars are followed through an iteration: one that may be read before it is written is carried to the next, unless
//! it moves by a fixed amount, or is a reduction. For arrays, the dependences that the loop alone carries backward in
//! the text are found by `premiss_dataflow`, on a slice of the tree. The nearest dependence limits the lanes. Bounds on
//! time assume full vectors everywhere, as a compiler may know what we do not; estimates give loops as many lanes as
//! they allow.

mod averaged;
mod counts;
mod derive;
mod forms;
mod marked;
mod pbound;
mod scope;
mod vector;

pub use counts::{Counts, ElementKind, ElementTraffic, FunctionCounts, Runs, count, enumerate};
pub use derive::{NoPlaces, Places};
pub use forms::Form;
pub use pbound::{
    PBOUND_ENTRY, PboundCounts, PboundPart, PboundRow, pbound, pbound_header, pbound_parts,
    pbound_row, pbound_scalars,
};
pub use scope::{Quantity, Scope};
pub use vector::{Carried, Hindrance, Vectorisable, Verdict, vectorisable};
