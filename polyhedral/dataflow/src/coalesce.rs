//! Joining the pieces of a footprint without making it harder to count.
//!
//! isl's coalescing turns star-shaped stencils into octahedra, and replaces `{c = j1}` beside
//! `{j2 = 7, c = j1 + 1}` by `7·(c - j1) <= j2`. Both are right, and both couple coordinates that
//! were apart or bring coefficients that were not there, so that counting has to split again. A
//! joined piece is taken only if it does neither.

use premiss_isl::Set;
use premiss_presburger::{Affine, Refusal, System};
use std::collections::BTreeSet;

/// The same set in fewer pieces where that is free. The last `rank` variables are the coordinates of
/// a line.
pub(crate) fn coalesce(set: &Set, rank: usize) -> Result<Set, Refusal> {
    let pieces = set.systems()?;
    if pieces.len() < 2 {
        return Ok(set.clone());
    }
    let known = Known::of(&pieces);
    let joined = set.coalesce()?;
    if known.permits(&joined.systems()?, rank) {
        return Ok(joined);
    }
    join_pairs(set, &pieces, &known, rank)
}

/// Joins two pieces at a time, as long as that yields one good piece.
fn join_pairs(set: &Set, pieces: &[System], known: &Known, rank: usize) -> Result<Set, Refusal> {
    let single = |piece: &System| Set::from_systems(set.shape(), std::slice::from_ref(piece));
    let mut parts: Vec<Set> = pieces.iter().map(single).collect::<Result<_, _>>()?;
    let mut first = 0;
    while first < parts.len() {
        let mut joined = None;
        for second in first + 1..parts.len() {
            let both = parts[first].union(&parts[second])?.coalesce()?;
            let systems = both.systems()?;
            if systems.len() == 1 && known.permits(&systems, rank) {
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

/// The constraints that a set had before, and the greatest coefficient in them.
struct Known {
    forms: BTreeSet<Affine>,
    coefficients: BTreeSet<u64>,
}

impl Known {
    fn of(pieces: &[System]) -> Self {
        let forms: BTreeSet<Affine> = pieces.iter().flat_map(constraints).collect();
        let magnitudes = |form: &Affine| -> Vec<u64> {
            let tail = &form.coefficients()[1..];
            tail.iter().map(|x| x.unsigned_abs()).collect()
        };
        let coefficients = forms.iter().flat_map(magnitudes).chain([0, 1]).collect();
        Self {
            forms,
            coefficients,
        }
    }

    /// Whether pieces are as easy to count as those before: each constraint was there before, or
    /// couples no two coordinates and has no new coefficient.
    fn permits(&self, pieces: &[System], rank: usize) -> bool {
        let fine = |piece: &System| {
            let coordinates = 1 + piece.variables - rank..1 + piece.variables;
            piece.floors.is_empty()
                && constraints(piece).all(|form| {
                    let involved = form.support().filter(|x| coordinates.contains(x)).count();
                    let tail = &form.coefficients()[1..];
                    let usual = tail
                        .iter()
                        .all(|x| self.coefficients.contains(&x.unsigned_abs()));
                    self.forms.contains(&form) || (usual && involved < 2)
                })
        };
        pieces.iter().all(fine)
    }
}

fn constraints(piece: &System) -> impl Iterator<Item = Affine> + '_ {
    piece.equalities.iter().chain(&piece.inequalities).cloned()
}
