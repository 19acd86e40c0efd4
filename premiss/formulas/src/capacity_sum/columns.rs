//! Columns of forms and where they go.

use premiss_presburger::{Affine, Floor, Piece, Refusal, System};
use std::collections::BTreeSet;

/// The columns of loop variables that a column depends on.
pub(super) fn axes_of(domain: &System, column: usize, n_sizes: usize) -> BTreeSet<usize> {
    match column.checked_sub(domain.variables + 1) {
        Some(floor) => {
            let support = domain.floors[floor].numerator.support();
            support.flat_map(|x| axes_of(domain, x, n_sizes)).collect()
        }
        None if n_sizes < column => BTreeSet::from([column]),
        None => BTreeSet::new(),
    }
}

/// The columns that are sizes, given loop variables, or floors that depend on these alone.
pub(super) fn known_columns(
    domain: &System,
    n_sizes: usize,
    loops: &BTreeSet<usize>,
) -> BTreeSet<usize> {
    let mut found: BTreeSet<usize> = (1..=n_sizes).chain(loops.iter().copied()).collect();
    for (column, floor) in (1 + domain.variables..).zip(&domain.floors) {
        if floor.numerator.support().all(|x| found.contains(&x)) {
            found.insert(column);
        }
    }
    found
}

/// A piece with its columns renumbered, over so many variables.
pub(super) fn renumbered(
    piece: &Piece,
    variables: usize,
    place: impl Fn(usize) -> usize + Copy,
) -> Result<Piece, Refusal> {
    Ok(Piece {
        domain: placed(&piece.domain, variables, place),
        value: piece.value.renumbered(place)?,
    })
}

/// A system with its columns moved, over so many variables; floors stay behind these, in their order.
pub(super) fn placed(
    system: &System,
    variables: usize,
    place: impl Fn(usize) -> usize + Copy,
) -> System {
    let width = 1 + variables + system.floors.len();
    let forms = |forms: &[Affine]| forms.iter().map(|x| form(x, width, place)).collect();
    let floor = |floor: &Floor| Floor {
        numerator: form(&floor.numerator, width, place),
        denominator: floor.denominator,
    };
    System {
        variables,
        floors: system.floors.iter().map(floor).collect(),
        equalities: forms(&system.equalities),
        inequalities: forms(&system.inequalities),
    }
}

/// A form with its columns moved, over so many.
pub(super) fn form(form: &Affine, width: usize, place: impl Fn(usize) -> usize) -> Affine {
    let mut coefficients = vec![0; width];
    coefficients[0] = form.constant_term();
    for column in form.support() {
        coefficients[place(column)] += form.coefficient(column);
    }
    Affine::new(coefficients)
}
