//! Systems in groups that have nothing to do with each other.
//!
//! The last iteration of a loop that touched a line is a maximum over a union of systems. Two systems compete only at
//! lines and outer iterations that both have. Lines of the first and of the second row of a band never meet, so that
//! each group has its own maximum, while isl would compare any two pieces.

use premiss_presburger::{Affine, Column, Refusal, System};

/// The systems in groups: any two points of different groups differ in a column other than `column`.
pub(crate) fn meeting_along(
    systems: Vec<System>,
    column: Column,
) -> Result<Vec<Vec<System>>, Refusal> {
    let mut all = Vec::with_capacity(systems.len());
    for system in systems {
        if let (Some(own), Some(other)) = (widened(&system)?, elsewhere(&system, column)?) {
            all.push((system, own, other));
        }
    }
    let groups = components(all, |one, other| !one.1.is_apart_from(&other.2));
    let systems = |group: Vec<(System, _, _)>| group.into_iter().map(|x| x.0).collect();
    Ok(groups.into_iter().map(systems).collect())
}

/// The connected components of `meet`, in order of their first items.
fn components<T>(items: Vec<T>, meet: impl Fn(&T, &T) -> bool) -> Vec<Vec<T>> {
    let mut groups: Vec<Vec<T>> = Vec::new();
    for item in items {
        let meets = |group: &Vec<T>| group.iter().any(|other| meet(&item, other));
        let met: Vec<usize> = (0..groups.len()).filter(|x| meets(&groups[*x])).collect();
        let Some((first, others)) = met.split_first() else {
            groups.push(vec![item]);
            continue;
        };
        for other in others.iter().rev() {
            let group = groups.remove(*other);
            groups[*first].extend(group);
        }
        groups[*first].push(item);
    }
    groups
}

/// The system with one more variable, of any value.
fn widened(system: &System) -> Result<Option<System>, Refusal> {
    system.preimage(system.variables + 1, &variables(system))
}

/// The system with one more variable, which takes the place of a column.
fn elsewhere(system: &System, column: Column) -> Result<Option<System>, Refusal> {
    let mut map = variables(system);
    map[column.place()] =
        Affine::variable(system.variables + 2, Column::at_place(system.variables));
    system.preimage(system.variables + 1, &map)
}

/// The forms of the system's variables in a space with one more variable.
fn variables(system: &System) -> Vec<Affine> {
    let own = Column::variables(system.variables);
    own.map(|column| Affine::variable(system.variables + 2, column))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `{ u : y = c, a <= u <= b }`, `u` being the second column.
    fn row(c: i64, a: i64, b: i64) -> System {
        let mut system = System::universe(2);
        system.equalities.push(Affine::new(vec![-c, 1, 0]));
        system.inequalities.push(Affine::new(vec![-a, 0, 1]));
        system.inequalities.push(Affine::new(vec![b, 0, -1]));
        system
    }

    #[test]
    fn rows_are_groups_of_their_own() {
        let systems = vec![row(0, 0, 3), row(1, 0, 3), row(0, 7, 9), row(2, 5, 6)];
        let found = meeting_along(systems, Column::new(2)).expect("small");
        let expected = [
            vec![row(0, 0, 3), row(0, 7, 9)],
            vec![row(1, 0, 3)],
            vec![row(2, 5, 6)],
        ];
        assert_eq!(found, expected);
    }
}
