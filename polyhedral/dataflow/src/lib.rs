//! Which access touched a line last, and which lines were touched since.
//!
//! [`analyze`] turns a [`Scop`](premiss_scop::Scop) into a [`ReuseRelation`]: for each access, its
//! iterations split by the access that touched the same line last (its *predecessor*), each part
//! with the predecessor's iteration as an affine function of the access's own, the loop that
//! carries the reuse, and the parts of the tree that execute in between.
//!
//! Nothing is done in a global schedule space. The tree is climbed from the access, one loop at a
//! time, and at each loop a one-dimensional maximum tells the last iteration that touched the line.
//!
//! [`dependences`] are those between elements, with the loops that carry them; [`backward`] those that
//! keep one loop from being a vector.

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
mod predecessor;
mod relation;

pub use carried::{Backward, backward};
pub use dependence::{Dependence, DependenceKind, Sign, dependences};
pub use footprint::NodePart;
pub use kind::{Locality, ReuseKind, ReuseOrigin, distance_vector, kinds};
pub use nearest::nearest;
pub use predecessor::{accesses_in_order, analyze};
pub use relation::{AccessReuse, FootprintTable, Reuse, ReuseRelation, Segment};
