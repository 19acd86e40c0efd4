//! Misses as a function of the sizes and of the capacity of the cache in lines.
//!
//! An access misses where its distance is at least the capacity `C`. A distance is a polynomial in the sizes and a few
//! loop variables, most often `Q(sizes) + L(loop variables)` with `L` linear. Then an access misses where `L >= C - Q`,
//! and `t = C - Q` is one number, whatever its degree. So the accesses are summed with `t` as an additional size:
//!
//! ```text
//! n accesses j = 0 .. n - 1, at distance n² + j: those with j >= t, t = C - n²
//!     n       where t <= 0
//!     n - t   where 0 <= t <= n
//! ```
//!
//! A loop variable that is a factor of a product in `L` is enumerated instead, and is a constant in each term: for a
//! distance `n·i + j`, the sum over `j` is a formula, and the one over `i` a loop.

mod builder;
mod count_form;
mod loop_bounds;

pub use count_form::{CountForm, LoopedPieces};

use builder::CapacitySum;
use premiss_distance::SymbolicHistogram;
use premiss_presburger::{Piece, Refusal};

/// The number of first accesses to lines (cold misses) of all references, as a form in the sizes.
///
/// # Errors
/// A number does not fit 128 bits.
pub fn cold_form(histogram: &SymbolicHistogram) -> Result<CountForm, Refusal> {
    let cold = histogram.references.iter().flat_map(|x| &x.cold);
    let cold: Vec<Piece> = cold.cloned().collect();
    CountForm::of_pieces(histogram.parameters.len(), &cold)
}

/// The misses of all references in a fully associative LRU cache, as a form in the sizes and, as the last column, the
/// capacity in lines.
///
/// # Errors
/// [`Refusal::NotAffine`] where a loop variable has to be enumerated and has no bounds; [`Refusal::Budget`] where
/// `steps` do not suffice; or a number does not fit 128 bits.
pub fn misses_form(histogram: &SymbolicHistogram, steps: u64) -> Result<CountForm, Refusal> {
    let mut sum = CapacitySum::new(histogram, steps);
    for reference in &histogram.references {
        for piece in &reference.cold {
            sum.add_cold(piece)?;
        }
        for entry in &reference.entries {
            sum.add(entry)?;
        }
    }
    sum.finish()
}
