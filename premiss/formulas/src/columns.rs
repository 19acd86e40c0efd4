//! Renumbering the columns of affine forms, systems and pieces.

use premiss_presburger::{Affine, Column, Floor, Piece, Refusal, System};
use std::collections::BTreeSet;

/// The columns of loop variables that a column depends on.
pub(crate) fn axes_of(domain: &System, column: Column, n_sizes: usize) -> BTreeSet<Column> {
    match domain.floor_at(column) {
        Some(floor) => {
            let support = domain.floors[floor].numerator.support();
            support.flat_map(|x| axes_of(domain, x, n_sizes)).collect()
        }
        None if n_sizes < column.number() => BTreeSet::from([column]),
        None => BTreeSet::new(),
    }
}

/// The columns that are sizes, given loop variables, or floors that depend on these alone.
pub(crate) fn known_columns(
    domain: &System,
    n_sizes: usize,
    loops: &BTreeSet<Column>,
) -> BTreeSet<Column> {
    let mut found: BTreeSet<Column> = Column::variables(n_sizes)
        .chain(loops.iter().copied())
        .collect();
    for (idx, floor) in domain.floors.iter().enumerate() {
        if floor.numerator.support().all(|x| found.contains(&x)) {
            found.insert(domain.floor_column(idx));
        }
    }
    found
}

/// A column of a system over `variables` where only the first `kept` of them are left, on which alone it depends.
pub(crate) fn in_narrower_system(column: Column, variables: usize, kept: usize) -> Column {
    Column::new(match column.number() {
        number if number <= variables => number.min(kept),
        number => number - variables + kept,
    })
}

/// A piece with its columns renumbered, over `columns` variables.
pub(crate) fn renumbered(
    piece: &Piece,
    variables: usize,
    place: impl Fn(Column) -> Column + Copy,
) -> Result<Piece, Refusal> {
    Ok(Piece {
        domain: placed(&piece.domain, variables, place),
        value: piece.value.renumbered(place)?,
    })
}

/// A system with its columns renumbered, over another number of variables; floors follow these in their old order.
pub(crate) fn placed(
    system: &System,
    variables: usize,
    place: impl Fn(Column) -> Column + Copy,
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

/// An affine form with its columns renumbered, over `width` columns.
pub(crate) fn form(form: &Affine, width: usize, place: impl Fn(Column) -> Column) -> Affine {
    let mut coefficients = vec![0; width];
    coefficients[0] = form.constant_term();
    for column in form.support() {
        coefficients[place(column)] += form.coefficient(column);
    }
    Affine::new(coefficients)
}
