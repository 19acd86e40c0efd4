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
//! In an arm that data choose a place is executed between no times and as often as if the arm were
//! always taken; in a loop that runs nobody knows how often, nobody knows how often. Averages, which a
//! profile has, make estimates of both.

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
