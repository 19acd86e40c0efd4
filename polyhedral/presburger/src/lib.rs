//! Affine forms, systems of them, and how many integer points they hold.
//!
//! Everything lives in *columns*: column 0 is the constant one, then come the variables, of which a
//! caller takes the first ones for its parameters, then the floors that a [`System`] defines.
//!
//! # Inside
//!
//! A [`System`] is a conjunction of affine constraints with floors. Everything is exact or refused ([`Refusal`]), and work is limited
//! by a budget of steps.
//!
//! - **Counting** (`count`): for each value of the free columns, the number of integer values of the counted ones, or the sum
//!   of a polynomial over them. The answer is an Ehrhart quasi-polynomial on chambers (Clauss 1996; Verdoolaege et al.,
//!   Algorithmica 48, 2007), found by summing over one column at a time (Pugh 1994). Equalities are solved first by Euclid's
//!   algorithm; each pair of a lower and an upper bound that may be the tightest gives a Faulhaber sum (`faulhaber`). Bounds
//!   `a*v <= e` are made affine by cases of small known remainders, by a floor of free columns, or by residues (`quotient`). Floors of
//!   counted columns are counted too: each point has one value for them. The values of pieces *add up*; their domains may overlap.
//! - **Disjoint pieces**: `combine` makes such pieces disjoint by a decision tree over their conditions, `disjoint` does so for
//!   unions of systems within a context: what the access at hand implies need not be cut. What is cut are rows side by side
//!   (`region`), and what one parallel row implies takes no elimination.
//! - **Emptiness** (`elimination`) is Fourier-Motzkin elimination with rounding: "infeasible" is certain, its absence is not. A
//!   missed contradiction costs pieces, never an answer. `shadow` eliminates in the same way for what is implied.
//! - **Polynomials** are integers over one common denominator, their monomials bytes of a word, so that sums and products are
//!   merges.
//!
//! The tests compare all this with enumeration on random systems (`PREMISS_CASES` sets how many), and counts with recorded
//! answers of barvinok (`testdata/counting`).

mod affine;
mod bounds;
mod combine;
mod count;
mod disjoint;
mod display;
mod elimination;
mod evaluate;
mod faulhaber;
mod feasible;
mod formula;
mod outline;
mod piece;
mod polynomial;
mod prepare;
mod quotient;
mod refusal;
mod region;
mod rows;
mod shadow;
mod space;
mod summand;
mod system;
mod tidy;

pub use affine::Affine;
pub use combine::combine;
pub use count::{count, sum};
pub use disjoint::disjoint;
pub use display::Notation;
pub use evaluate::Evaluator;
pub use piece::{Budget, Piece, united};
pub use polynomial::Polynomial;
pub use premiss_arithmetic::{Column, Monomial, Rational};
pub use refusal::Refusal;
pub use system::{Floor, System};
