//! What sizes must satisfy for a closed form to hold, beyond being large enough.
//!
//! The rows of `a[i * lda + j]` with `j < n` are told apart where `n <= lda`; elsewhere the form says nothing. The author
//! of a program may state such bounds as well (`premiss:assume`): those are no conditions, as no other sizes occur.

use premiss_arithmetic::div_ceil;
use premiss_distance::SymbolicHistogram;
use premiss_presburger::{Affine, Column};
use premiss_scop::SymbolicParameter;
use premiss_tree::{NestTree, SizeBound};

/// Of so many first values of its column a form need not tell anything to count as one for all sizes: those of arrays
/// without elements, or of less than a line.
const LEFT_OUT: i64 = 2;

/// The forms over the columns of sizes that must not be negative for a histogram to hold, except the least values of
/// single sizes, and what the source states.
#[must_use]
pub fn size_conditions(tree: &NestTree, histogram: &SymbolicHistogram) -> Vec<Affine> {
    let sizes = &histogram.parameters;
    let is_plain = |form: &Affine| match of_one_size(form) {
        Some((_, 0..)) => true,
        // The greatest `int`, where a type may wrap around.
        Some((size, slope)) => {
            let size = sizes[size.place()];
            let most = (i64::from(i32::MAX) - size.residue).div_euclid(size.factor);
            slope == -1 && form.constant_term() == most
        }
        None => form.is_constant(),
    };
    let mut conditions = unstated(tree, histogram);
    conditions.retain(|form| !is_plain(form));
    conditions
}

/// Whether a histogram holds for all sizes that the source states, but the least.
pub(crate) fn holds_for_all_sizes(tree: &NestTree, histogram: &SymbolicHistogram) -> bool {
    let is_late = |form: &Affine| match of_one_size(form) {
        Some((_, slope @ 1..)) => LEFT_OUT < div_ceil(-form.constant_term(), slope),
        _ => false,
    };
    size_conditions(tree, histogram).is_empty() && !unstated(tree, histogram).iter().any(is_late)
}

/// The size that alone decides a form, and its coefficient.
fn of_one_size(form: &Affine) -> Option<(Column, i64)> {
    let mut support = form.support();
    let size = support.next().filter(|_| support.next().is_none())?;
    Some((size, form.coefficient(size)))
}

/// What a histogram takes for granted, and the source does not state.
fn unstated(tree: &NestTree, histogram: &SymbolicHistogram) -> Vec<Affine> {
    let bounds = tree.bounds.iter();
    let stated = bounds.filter_map(|bound| form(bound, tree, &histogram.parameters));
    let stated: Vec<Affine> = stated.collect();
    let all = histogram.context.inequalities.iter();
    all.filter(|form| !stated.contains(form)).cloned().collect()
}

/// A stated bound as a form over the columns of sizes.
fn form(bound: &SizeBound, tree: &NestTree, sizes: &[SymbolicParameter]) -> Option<Affine> {
    let mut row = vec![0_i64; 1 + sizes.len()];
    row[0] = bound.constant;
    for (id, factor) in &bound.sizes {
        let constant = match sizes.iter().position(|size| size.id == *id) {
            Some(place) => {
                row[Column::at_place(place)] = factor.checked_mul(sizes[place].factor)?;
                sizes[place].residue
            }
            None => tree.parameters.get(*id)?.value?,
        };
        row[0] = row[0].checked_add(factor.checked_mul(constant)?)?;
    }
    Some(Affine::new(row))
}
