//! Systems as isl's basic sets, and back.

use premiss_presburger::{Affine, Column, Floor, Refusal, System};

use crate::SetSpace;
use crate::raw::{RawBasicSet, RawMatrix, RawSpace};

/// The points of a system as a basic set of isl.
pub(crate) fn basic_set(space: RawSpace, system: &System) -> Result<RawBasicSet, Refusal> {
    let columns = system.columns();
    let mut divisions = Vec::with_capacity(2 * system.floors.len());
    for (index, floor) in system.floors.iter().enumerate() {
        divisions.extend(bounds(floor, system.floor_column(index))?);
    }
    let equalities: Vec<&[i64]> = rows(&system.equalities).collect();
    let inequalities: Vec<&[i64]> = rows(&system.inequalities).chain(rows(&divisions)).collect();
    RawBasicSet::of_matrices(
        space,
        RawMatrix::of_rows(columns, equalities.into_iter())?,
        RawMatrix::of_rows(columns, inequalities.into_iter())?,
    )
}

fn rows(forms: &[Affine]) -> impl Iterator<Item = &[i64]> {
    forms.iter().map(Affine::coefficients)
}

/// `0 <= n - d·q` and `0 <= d·q + d - 1 - n`: that column `q` is `floor(n / d)`.
fn bounds(floor: &Floor, column: Column) -> Result<[Affine; 2], Refusal> {
    let Floor {
        numerator,
        denominator,
    } = floor;
    let columns = numerator.columns();
    let rest = numerator.plus(-denominator, &Affine::variable(columns, column))?;
    let most = Affine::constant(columns, denominator - 1);
    Ok([rest.clone(), most.plus(-1, &rest)?])
}

/// The system of a basic set all of whose divisions are known.
pub(crate) fn system(shape: SetSpace, set: &RawBasicSet) -> Result<System, Refusal> {
    let variables = shape.parameters + shape.variables;
    let forms = |rows: Vec<Vec<i64>>| rows.into_iter().map(Affine::new).collect::<Vec<_>>();
    let divisions = set.divisions()?.rows()?;
    let mut system = System {
        variables,
        floors: divisions
            .iter()
            .map(|row| floor(row))
            .collect::<Result<_, _>>()?,
        equalities: forms(set.equalities()?.rows()?),
        inequalities: forms(set.inequalities()?.rows()?),
    };
    if !system.floors.is_empty() {
        drop_bounds(&mut system)?;
        return arrange(&system);
    }
    Ok(system)
}

/// A division from isl's row: denominator, then numerator.
fn floor(row: &[i64]) -> Result<Floor, Refusal> {
    let (denominator, numerator) = (row[0], row[1..].to_vec());
    if denominator <= 0 {
        return Err(Refusal::Failed);
    }
    Ok(Floor {
        numerator: Affine::new(numerator),
        denominator,
    })
}

/// Drops the inequalities that only define a floor.
fn drop_bounds(system: &mut System) -> Result<(), Refusal> {
    for (index, floor) in system.floors.iter().enumerate() {
        let known = bounds(floor, system.floor_column(index))?;
        system.inequalities.retain(|form| !known.contains(form));
    }
    Ok(())
}

/// Orders the floors so that each comes after those that it depends on, and drops floors that no constraint depends on.
fn arrange(system: &System) -> Result<System, Refusal> {
    let first = 1 + system.variables;
    let mut order = Vec::with_capacity(system.floors.len());
    let mut state = vec![Visit::New; system.floors.len()];
    for form in system.equalities.iter().chain(&system.inequalities) {
        visit(system, form, &mut state, &mut order)?;
    }
    let place = |form: &Affine| {
        let mut coefficients = form.coefficients()[..first].to_vec();
        coefficients.extend(
            order
                .iter()
                .map(|floor| form.coefficient(system.floor_column(*floor))),
        );
        Affine::new(coefficients)
    };
    let floors = order.iter().map(|index| Floor {
        numerator: place(&system.floors[*index].numerator),
        denominator: system.floors[*index].denominator,
    });
    Ok(System {
        variables: system.variables,
        floors: floors.collect(),
        equalities: system.equalities.iter().map(place).collect(),
        inequalities: system.inequalities.iter().map(place).collect(),
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Visit {
    New,
    Open,
    Done,
}

/// Appends the floors that a form depends on to `order`, each after the floors in its numerator.
fn visit(
    system: &System,
    form: &Affine,
    state: &mut [Visit],
    order: &mut Vec<usize>,
) -> Result<(), Refusal> {
    for index in 0..system.floors.len() {
        if form.coefficient(system.floor_column(index)) == 0 || state[index] == Visit::Done {
            continue;
        }
        if state[index] == Visit::Open {
            return Err(Refusal::Failed); // Defined by itself: no function.
        }
        state[index] = Visit::Open;
        visit(system, &system.floors[index].numerator, state, order)?;
        state[index] = Visit::Done;
        order.push(index);
    }
    Ok(())
}
