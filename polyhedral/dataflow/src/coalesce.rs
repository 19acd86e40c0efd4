//! Joining the pieces of a footprint without making it harder to count.
//!
//! isl's coalescing turns star-shaped stencils into octahedra, and replaces `{c = j1}` beside
//! `{j2 = 7, c = j1 + 1}` by `7·(c - j1) <= j2`. Both are right, and both couple coordinates that
//! were apart or bring coefficients that were not there, so that counting has to split again. A
//! joined piece is taken only if each of its constraints has the direction of one that was there.

use premiss_isl::Set;
use premiss_presburger::{Affine, Refusal, System};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The same set in fewer pieces where that is free.
pub(crate) fn coalesce(set: &Set) -> Result<Set, Refusal> {
    let pieces = set.systems()?;
    if pieces.len() < 2 {
        return Ok(set.clone());
    }
    let has_floors = pieces.iter().any(|piece| !piece.floors.is_empty());
    let joined = if has_floors {
        set.clone()
    } else {
        join_pairs(set, &pieces)?
    };
    let known = ConstraintDirections::of(&pieces);
    let coalesced = joined.coalesce()?;
    if known.permits(&coalesced.systems()?) {
        Ok(coalesced)
    } else {
        Ok(joined)
    }
}

/// Joins two pieces at a time that differ in the bounds along one direction only, where these touch.
fn join_pairs(set: &Set, pieces: &[System]) -> Result<Set, Refusal> {
    let mut slabs: Vec<Slabs> = pieces.iter().map(Slabs::of).collect();
    let mut first = 0;
    while first < slabs.len() {
        let others = first + 1..slabs.len();
        let partner = others.clone().find(|x| slabs[first].touches(&slabs[*x]));
        match partner {
            Some(second) => first = join(&mut slabs, first, second),
            None => first += 1,
        }
    }
    if slabs.len() == pieces.len() {
        return Ok(set.clone());
    }
    let variables = pieces.first().map_or(0, |piece| piece.variables);
    let systems: Vec<System> = slabs.iter().map(|slab| slab.system(variables)).collect();
    Set::from_systems(set.shape(), &systems)
}

/// Joins two pieces, and the result with the pieces before it, of which no other two can be joined; yields the index of
/// the result.
fn join(slabs: &mut Vec<Slabs>, mut first: usize, mut second: usize) -> usize {
    loop {
        let gone = slabs.remove(second);
        slabs[first] = slabs[first].joined(&gone);
        let Some(before) = (0..first).find(|x| slabs[*x].touches(&slabs[first])) else {
            return first;
        };
        (first, second) = (before, first);
    }
}

/// A system as bounds along directions, sorted: `least <= direction·x <= greatest`.
#[derive(Clone, PartialEq, Eq)]
struct Slabs(Vec<(Vec<i64>, ValueBounds)>);

/// The least and the greatest value, where there is one.
type ValueBounds = (Option<i64>, Option<i64>);

impl Slabs {
    fn of(piece: &System) -> Self {
        let mut bounds: BTreeMap<Vec<i64>, ValueBounds> = BTreeMap::new();
        let mut add = |form: &Affine, is_equality: bool| {
            let towards = direction(form);
            let is_along = form.coefficients()[1..] == towards[..];
            let constant = form.constant_term();
            let (least, greatest) = bounds.entry(towards).or_default();
            if is_along || is_equality {
                let value = if is_along { -constant } else { constant };
                *least = Some(least.map_or(value, |x| x.max(value)));
            }
            if !is_along || is_equality {
                let value = if is_along { -constant } else { constant };
                *greatest = Some(greatest.map_or(value, |x| x.min(value)));
            }
        };
        piece.equalities.iter().for_each(|form| add(form, true));
        piece.inequalities.iter().for_each(|form| add(form, false));
        Self(bounds.into_iter().collect())
    }

    /// Whether the two differ along at most one direction, and touch along it.
    fn touches(&self, other: &Self) -> bool {
        let mut differ = 0;
        side_by_side(&self.0, &other.0, |_, own, its| {
            differ += usize::from(own != its);
            differ <= 1 && (own == its || touch(own, its))
        })
    }

    /// The union, where [`Slabs::touches`] says that it is one.
    fn joined(&self, other: &Self) -> Self {
        let mut both = Vec::with_capacity(self.0.len());
        side_by_side(&self.0, &other.0, |towards, own, its| {
            let least = own.0.zip(its.0).map(|(a, b)| a.min(b));
            let greatest = own.1.zip(its.1).map(|(a, b)| a.max(b));
            if least.is_some() || greatest.is_some() {
                both.push((towards.to_vec(), (least, greatest)));
            }
            true
        });
        Self(both)
    }

    fn system(&self, variables: usize) -> System {
        let mut system = System::universe(variables);
        for (towards, (least, greatest)) in &self.0 {
            let form = |constant: i64, sign: i64| {
                let tail = towards.iter().map(|x| sign * x);
                Affine::new(std::iter::once(constant).chain(tail).collect())
            };
            if least.is_some() && least == greatest {
                system.equalities.extend(least.map(|value| form(-value, 1)));
                continue;
            }
            system
                .inequalities
                .extend(least.map(|value| form(-value, 1)));
            system
                .inequalities
                .extend(greatest.map(|value| form(value, -1)));
        }
        system
    }
}

/// Whether `holds` is true of the bounds of both along each direction of either.
fn side_by_side(
    mut mine: &[(Vec<i64>, ValueBounds)],
    mut others: &[(Vec<i64>, ValueBounds)],
    mut holds: impl FnMut(&[i64], ValueBounds, ValueBounds) -> bool,
) -> bool {
    let none = (None, None);
    loop {
        let order = match (mine.first(), others.first()) {
            (None, None) => return true,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(own), Some(its)) => own.0.cmp(&its.0),
        };
        let go_on = match order {
            Ordering::Equal => holds(&mine[0].0, mine[0].1, others[0].1),
            Ordering::Less => holds(&mine[0].0, mine[0].1, none),
            Ordering::Greater => holds(&others[0].0, none, others[0].1),
        };
        if !go_on {
            return false;
        }
        mine = &mine[usize::from(order != Ordering::Greater)..];
        others = &others[usize::from(order != Ordering::Less)..];
    }
}

/// Whether no integer lies between two ranges.
fn touch(a: ValueBounds, b: ValueBounds) -> bool {
    let before = |greatest: Option<i64>, least: Option<i64>| match (greatest, least) {
        (Some(greatest), Some(least)) => least <= greatest.saturating_add(1),
        _ => true,
    };
    before(a.1, b.0) && before(b.1, a.0)
}

/// The directions of a set's constraints: their coefficients without the constant, up to the sign.
struct ConstraintDirections(BTreeSet<Vec<i64>>);

impl ConstraintDirections {
    fn of(pieces: &[System]) -> Self {
        Self(pieces.iter().flat_map(constraints).map(direction).collect())
    }

    /// Whether pieces are as easy to count as those before: no constraint has a direction that was
    /// not there, unless it bounds one variable.
    fn permits(&self, pieces: &[System]) -> bool {
        let fine = |form: &Affine| form.support().count() < 2 || self.0.contains(&direction(form));
        pieces
            .iter()
            .all(|piece| piece.floors.is_empty() && constraints(piece).all(fine))
    }
}

/// The coefficients without the constant, the first that is not zero positive.
fn direction(form: &Affine) -> Vec<i64> {
    let mut coefficients = form.coefficients()[1..].to_vec();
    let leading = coefficients.iter().find(|x| **x != 0);
    if leading.is_some_and(|x| *x < 0) {
        coefficients
            .iter_mut()
            .for_each(|x| *x = x.saturating_neg());
    }
    coefficients
}

fn constraints(piece: &System) -> impl Iterator<Item = &Affine> {
    piece.equalities.iter().chain(&piece.inequalities)
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_isl::SetSpace;

    const PLANE: SetSpace = SetSpace {
        parameters: 0,
        variables: 2,
    };

    /// `a <= x <= b` and `c <= y <= d`.
    fn rectangle([a, b]: [i64; 2], [c, d]: [i64; 2]) -> System {
        let bounds = [[-a, 1, 0], [b, -1, 0], [-c, 0, 1], [d, 0, -1]];
        let mut rectangle = System::universe(2);
        rectangle.inequalities = bounds.map(|row| Affine::new(row.to_vec())).to_vec();
        rectangle
    }

    /// How many pieces are left of some; together they are the same points.
    fn pieces(of: &[System]) -> usize {
        let set = Set::from_systems(PLANE, of).expect("it is small");
        let joined = coalesce(&set).expect("it is small");
        assert_eq!(joined.is_equal(&set), Ok(true));
        joined.systems().expect("it is small").len()
    }

    #[test]
    fn neighbours_along_one_direction_are_one_piece() {
        let first = rectangle([0, 3], [0, 7]);
        assert_eq!(pieces(&[first.clone(), rectangle([4, 9], [0, 7])]), 1);
        assert_eq!(pieces(&[first.clone(), rectangle([2, 9], [0, 7])]), 1);
        assert_eq!(pieces(&[first.clone(), rectangle([5, 9], [0, 7])]), 2);
        assert_eq!(pieces(&[first, rectangle([4, 9], [0, 6])]), 2);
    }

    #[test]
    fn joining_two_pieces_may_let_a_third_one_in() {
        // The first two make a square that the third one continues.
        let quarters = [
            rectangle([4, 7], [0, 7]),
            rectangle([0, 3], [0, 3]),
            rectangle([0, 3], [4, 7]),
        ];
        assert_eq!(pieces(&quarters), 1);
    }

    #[test]
    fn pieces_are_not_joined_by_a_direction_that_was_not_there() {
        // A point with its neighbours would be an octahedron, a square with a bump would get slanted corners.
        let star = [rectangle([-1, 1], [0, 0]), rectangle([0, 0], [-1, 1])];
        let bump = [rectangle([0, 3], [0, 3]), rectangle([4, 4], [1, 2])];
        for both in [star, bump] {
            let set = Set::from_systems(PLANE, &both).expect("it is small");
            let joined = set.coalesce().expect("it is small");
            let systems = joined.systems().expect("it is small");
            assert_eq!(systems.len(), 1, "isl joins them");
            assert_eq!(pieces(&both), 2);
        }
    }
}
