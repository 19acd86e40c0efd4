//! Affine forms, systems of them, and how many integer points they hold.
//!
//! Everything lives in *columns*: column 0 is the constant one, then come the variables, of which a
//! caller takes the first ones for its parameters, then the floors that a [`System`] defines.

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
pub use premiss_arithmetic::{Monomial, Rational};
pub use refusal::Refusal;
pub use system::{Floor, System};
