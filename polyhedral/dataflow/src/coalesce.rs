//! Joining the pieces of a footprint without making it harder to count.
//!
//! isl's coalescing turns star-shaped stencils into octahedra, and replaces `{c = j1}` beside
//! `{j2 = 7, c = j1 + 1}` by `7·(c - j1) <= j2`. Both are right, and both couple coordinates that
//! were apart or bring coefficients that were not there, so that counting has to split again. A
//! joined piece is taken only if each of its constraints has the direction of one that was there.

use premiss_isl::Set;
use premiss_presburger::{Affine, Refusal, System};
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
    let known = Known::of(&pieces);
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
        let joined = others
            .clone()
            .find_map(|second| Some((second, slabs[first].joined(&slabs[second])?)));
        match joined {
            Some((second, both)) => {
                slabs.remove(second);
                slabs[first] = both;
                first = 0;
            }
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

/// A system as bounds along directions, sorted: `least <= direction·x <= greatest`.
#[derive(Clone, PartialEq, Eq)]
struct Slabs(Vec<(Vec<i64>, Bounds)>);

/// The least and the greatest value, where there is one.
type Bounds = (Option<i64>, Option<i64>);

impl Slabs {
    fn of(piece: &System) -> Self {
        let mut bounds: BTreeMap<Vec<i64>, Bounds> = BTreeMap::new();
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

    /// The union, where both differ along one direction at most and touch there.
    fn joined(&self, other: &Self) -> Option<Self> {
        let mut both = Vec::with_capacity(self.0.len());
        let (mut mine, mut others) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut differ = 0;
        while let Some(towards) = earlier(mine.peek(), others.peek()) {
            let own = mine
                .next_if(|x| x.0 == *towards)
                .map_or((None, None), |x| x.1);
            let its = others
                .next_if(|x| x.0 == *towards)
                .map_or((None, None), |x| x.1);
            if own == its {
                both.push((towards.clone(), own));
                continue;
            }
            differ += 1;
            if 1 < differ || !touch(own, its) {
                return None;
            }
            let least = own.0.zip(its.0).map(|(a, b)| a.min(b));
            let greatest = own.1.zip(its.1).map(|(a, b)| a.max(b));
            if least.is_some() || greatest.is_some() {
                both.push((towards.clone(), (least, greatest)));
            }
        }
        Some(Self(both))
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

/// The lesser of the directions that come next.
fn earlier<'a>(
    a: Option<&&'a (Vec<i64>, Bounds)>,
    b: Option<&&'a (Vec<i64>, Bounds)>,
) -> Option<&'a Vec<i64>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(std::cmp::min(&a.0, &b.0)),
        (Some(x), None) | (None, Some(x)) => Some(&x.0),
        (None, None) => None,
    }
}

/// Whether no integer lies between two ranges.
fn touch(a: Bounds, b: Bounds) -> bool {
    let before = |greatest: Option<i64>, least: Option<i64>| match (greatest, least) {
        (Some(greatest), Some(least)) => least <= greatest.saturating_add(1),
        _ => true,
    };
    before(a.1, b.0) && before(b.1, a.0)
}

/// The directions of a set's constraints: their coefficients without the constant, up to the sign.
struct Known(BTreeSet<Vec<i64>>);

impl Known {
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
