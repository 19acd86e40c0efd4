//! Which access touched a line last, and which lines were touched since.
//!
//! [`analyze`] turns a [`Scop`](premiss_scop::Scop) into a [`ReuseRelation`]: for each access, its
//! iterations split by the access that touched the same line last (its *predecessor*), each part
//! with the predecessor's iteration as an affine function of the access's own, the loop that
//! carries the reuse, and the parts of the tree that execute in between.
//!
//! There is no global schedule space. The tree is climbed from the access, one loop at a time, and at each loop a
//! one-dimensional parametric maximum gives the last iteration that touched the line (compare Feautrier 1991).
//!
//! [`dependences`] are pairs of iterations that touch the same element, with the loops that carry them; [`backward`]
//! finds those that keep a loop from being executed in vectors.
//!
//! # Inside
//!
//! - `footprint`: the lines that one iteration of a loop touches, all of it, the iterations after or before one, or
//!   between two; once for each node and array. `coalesce` joins pieces along one direction at a time, and lets isl
//!   join more only if no constraint gets a new direction: fewer pieces with odd coefficients are harder to count than
//!   more pieces without.
//! - `last`: the last iteration of a loop that touched a line, one dimension at a time. `floors` removes the floors
//!   from it: at a sink whose blocks are columns they take few values. Pieces that have no point in common with the
//!   sink, most of them, are recognised by elimination (`iterations`), and the maximum is taken over groups of pieces
//!   that cannot meet (`groups`).
//! - Where data decide what executes, there are two relations ([`analyze_bound`]): for the greatest distances, sources are
//!   certain accesses, and all may come in between; for the least, sources are all accesses, and certain ones come in
//!   between. Both searches are the one for certain accesses, on scops of which possible accesses have been left out.
//! - `predecessor` climbs from each access: nearer siblings first, then the last earlier iteration of the loop around,
//!   its children last first. The answer comes with the loop that carries it and with the parts of the tree that
//!   execute in between; what is left at the root is cold.
//! - `dependence` finds flow, anti, output and input dependences between elements: pairs of iterations by the loop that
//!   carries them, with direction and distance vectors in the program's own variables; `nearest` leaves out those with
//!   a write in between. Their scops are lowered with lines of one element.
//! - `kind` distinguishes self from group and temporal from spatial reuse, and gives distance vectors in the program's
//!   own loop variables.

mod carried;
mod coalesce;
mod dependence;
mod display;
mod floors;
mod footprint;
mod footprint_table;
mod groups;
mod iterations;
mod kind;
mod last;
mod nearest;
mod possible;
mod predecessor;
mod relation;
#[cfg(test)]
mod test_scops;
#[cfg(test)]
mod tests;

pub use carried::{Backward, backward};
pub use dependence::{Dependence, DependenceKind, Sign, dependences};
pub use footprint::NodePart;
pub use kind::{Locality, ReuseKind, ReuseOrigin, distance_vector, kinds};
pub use nearest::nearest;
pub use predecessor::{accesses_in_order, analyze, analyze_bound, analyze_space};
pub use relation::{AccessReuse, DistanceBound, FootprintTable, Reuse, ReuseRelation, Segment};
