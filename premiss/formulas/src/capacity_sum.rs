//! Misses as a function of the sizes and of how many lines a cache holds.
//!
//! An access misses where its distance is at least the capacity `C`. A distance is a polynomial of the
//! sizes and of a few loop variables, most often `Q(sizes) + L(loop variables)` with `L` linear: which
//! accesses miss is told by `L >= C - Q` then, and `t = C - Q` is one number, whatever its degree. So
//! the accesses are summed with `t` for one more size:
//!
//! ```text
//! n accesses j = 0 .. n - 1, at distance n² + j: those with j >= t, t = C - n²
//!     n       where t <= 0
//!     n - t   where 0 <= t <= n
//! ```
//!
//! A loop variable that is a factor of some product in `L` is gone through one by one instead, and is a
//! number for all else: of `n·i + j` the sum over `j` is a formula, and the one over `i` a loop.

mod builder;
mod columns;
mod count_form;
mod loop_bounds;

pub use count_form::{CountForm, LoopedPieces};

use builder::CapacitySum;
use premiss_distance::SymbolicHistogram;
use premiss_presburger::{Piece, Refusal};

/// The first accesses to lines, over the sizes.
///
/// # Errors
/// A number does not fit.
pub fn cold_form(histogram: &SymbolicHistogram) -> Result<CountForm, Refusal> {
    let cold = histogram.references.iter().flat_map(|x| &x.cold);
    let cold: Vec<Piece> = cold.cloned().collect();
    CountForm::of_pieces(histogram.parameters.len(), &cold)
}

/// The misses of a fully associative cache, over the sizes and the lines that it holds.
///
/// # Errors
/// [`Refusal::NotAffine`] where nothing bounds a loop variable that has to be gone through; so many
/// steps do not suffice; or a number does not fit.
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
