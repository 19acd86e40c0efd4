//! A system, a weight and a context in one space, ready to be summed.

use crate::rows::RowMatrix;
use crate::space::Space;
use crate::summand::Summand;
use crate::{Column, Polynomial, Refusal, System};

/// Constraints on columns that are not counted.
pub(crate) struct ParameterConstraints {
    pub(crate) equalities: RowMatrix,
    pub(crate) inequalities: RowMatrix,
}

/// All columns in one space; floors of counted columns counted as well.
pub(crate) fn prepare(
    system: &System,
    weight: &Polynomial,
    over: &[Column],
    context: &System,
) -> Result<(Summand, ParameterConstraints), Refusal> {
    let mut space = Space::new(system.variables);
    let own = space.absorb(system);
    let mut counted: Vec<Column> = over.to_vec();
    counted.sort_unstable();
    counted.dedup();
    let n_own = space.floors.len();
    let weight = weight.renumbered(|column| own[column])?;
    let needed = needed_columns(&space, system, &own, &weight);
    let mut definitions = Vec::new();
    for index in 0..n_own {
        if !needed[space.floor_column(index)] {
            space.floors[index].defined = false;
        } else if space.depends(index, &counted) {
            counted.push(space.floor_column(index));
            definitions.extend(space.definition(index)?);
            space.floors[index].defined = false;
        }
    }
    let others = space.absorb(context);
    let mut foreign = counted.clone();
    for index in n_own..space.floors.len() {
        if space.depends(index, &foreign) {
            foreign.push(space.floor_column(index));
            space.floors[index].defined = false;
        }
    }
    let mut inequalities = space.rows(&system.inequalities, &own);
    definitions.iter().for_each(|row| inequalities.push(row));
    let free = |mut rows: RowMatrix| {
        rows.retain(|row| foreign.iter().all(|column| row[*column] == 0));
        rows
    };
    let context = ParameterConstraints {
        equalities: free(space.rows(&context.equalities, &others)),
        inequalities: free(space.rows(&context.inequalities, &others)),
    };
    let summand = Summand {
        equalities: space.rows(&system.equalities, &own),
        inequalities,
        counted,
        weight,
        space,
    };
    Ok((summand, context))
}

/// Which columns constraints, the weight, or needed floors depend on.
fn needed_columns(
    space: &Space,
    system: &System,
    map: &[Column],
    weight: &Polynomial,
) -> Vec<bool> {
    let mut needed = vec![false; space.width()];
    let mut need = |row: &[i64]| {
        let columns = row.iter().zip(&mut needed);
        columns.for_each(|(x, needed)| *needed |= *x != 0);
    };
    space
        .rows(&system.equalities, map)
        .iter()
        .for_each(&mut need);
    space
        .rows(&system.inequalities, map)
        .iter()
        .for_each(&mut need);
    weight
        .support()
        .iter()
        .for_each(|column| needed[*column] = true);
    for index in (0..space.floors.len()).rev() {
        if needed[space.floor_column(index)] {
            let (numerator, _) = space.quotient(index);
            let columns = numerator.iter().zip(&mut needed);
            columns.for_each(|(x, needed)| *needed |= *x != 0);
        }
    }
    needed
}
