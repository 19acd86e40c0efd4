//! Joining the pieces of a footprint without making it harder to count.
//!
//! isl's coalescing turns star-shaped stencils into octahedra, and replaces `{c = j1}` beside
//! `{j2 = 7, c = j1 + 1}` by `7·(c - j1) <= j2`. Both are right, and both couple coordinates that
//! were apart or bring coefficients that were not there, so that counting has to split again. A
//! joined piece is taken only if each of its constraints has the direction of one that was there.

use premiss_isl::Set;
use premiss_presburger::{Affine, Refusal, System};
use std::collections::BTreeSet;

/// The same set in fewer pieces where that is free.
pub(crate) fn coalesce(set: &Set) -> Result<Set, Refusal> {
    let pieces = set.systems()?;
    if pieces.len() < 2 {
        return Ok(set.clone());
    }
    let known = Known::of(&pieces);
    let joined = set.coalesce()?;
    if known.permits(&joined.systems()?) {
        return Ok(joined);
    }
    join_pairs(set, &pieces, &known)
}

/// Joins two pieces at a time, as long as that yields one good piece.
fn join_pairs(set: &Set, pieces: &[System], known: &Known) -> Result<Set, Refusal> {
    let single = |piece: &System| Set::from_systems(set.shape(), std::slice::from_ref(piece));
    let mut parts: Vec<Set> = pieces.iter().map(single).collect::<Result<_, _>>()?;
    let mut first = 0;
    while first < parts.len() {
        let mut joined = None;
        for second in first + 1..parts.len() {
            let both = parts[first].union(&parts[second])?.coalesce()?;
            let systems = both.systems()?;
            if systems.len() == 1 && known.permits(&systems) {
                joined = Some((second, both));
                break;
            }
        }
        match joined {
            Some((second, both)) => {
                parts.remove(second);
                parts[first] = both;
                first = 0;
            }
            None => first += 1,
        }
    }
    let mut union = parts[0].clone();
    for part in &parts[1..] {
        union = union.union(part)?;
    }
    Ok(union)
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
