//! Exact arithmetic, shared by every crate that computes with integers.
//!
//! Turns integers into integers, and polynomials into polynomials: no floating point, no rounding but where a name says
//! so ([`div_floor`], [`div_ceil`]). A result that does not fit its type is [`Overflow`] or `None`, never a wrapped
//! number. Nothing here knows sets, programs or caches.

//! [`Rational`] is a fraction. Polynomials are sums of [`terms`]: their products are a [`Monomial`] (few factors among
//! many columns, what quasi-polynomials over the columns of a system need) or [`Exponents`] (few axes, what a
//! [`PackedPolynomial`] that is bounded and summed over boxes needs). [`univariate`] has those in one variable.

mod checked;
mod column;
mod exponents;
mod integer;
mod interval;
mod monomial;
mod packed_polynomial;
mod rational;
pub mod terms;
pub mod univariate;

pub use checked::{Overflow, add, multiply, power};
pub use column::Column;
pub use exponents::{AXES, Exponents};
pub use integer::{Integer, Signed, div_ceil, div_floor, gcd, lcm};
pub use interval::Interval;
pub use monomial::Monomial;
pub use packed_polynomial::PackedPolynomial;
pub use rational::Rational;
