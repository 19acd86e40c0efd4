//! Systems that tell residues of a coordinate apart, as fewer systems that do not.
//!
//! Rows that are touched before row `4i` may come as `{ r <= 4i - 1, 2 <= r - 4·floor(r/4) }` and
//! `{ r <= 4i - 3, r - 4·floor(r/4) <= 1 }`, as an iteration deals with rows by two of them. For `r = 4q + 2` the former is
//! `q <= i - 1`, and so are the others for `4q`, `4q + 1` and `4q + 3`. Rows of each residue up to `4i - 1` are the same,
//! so both are `r <= 4i - 1`.

use premiss_arithmetic::gcd;
use premiss_presburger::{Affine, Column, Refusal, System};

/// Greater moduli are not looked at.
const MOST_RESIDUES: i64 = 16;

/// Systems with the same points as these, each as often, which have the coordinates of a line behind other columns.
///
/// # Errors
/// A coefficient does not fit 64 bits.
pub(super) fn without_slices(
    systems: Vec<System>,
    coordinates: usize,
) -> Result<Vec<System>, Refusal> {
    let mut slicings: Vec<Slicing> = Vec::new();
    for system in &systems {
        let slicing = Slicing::of(system, coordinates);
        slicings.extend(slicing.filter(|x| !slicings.contains(x)));
    }
    slicings
        .into_iter()
        .try_fold(systems, |systems, slicing| slicing.merged(systems))
}

/// A coordinate `r` as `modulus·q + residue`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Slicing {
    column: Column,
    modulus: i64,
}

/// The points of a system with one residue.
#[derive(Clone, PartialEq, Eq)]
struct Slice {
    /// Constraints on other columns.
    rest: System,
    /// Forms over `r` that are not negative, but for their constants. Where they are zero, `r` has the residue.
    bounds: Vec<Affine>,
}

/// Slices that are equal but for the constants of bounds.
struct SimilarSlices {
    slice: Slice,
    /// Of which systems they are.
    sources: Vec<usize>,
    residues: Vec<i64>,
    /// The least and the greatest constant of each bound.
    constants: Vec<(i64, i64)>,
}

impl Slicing {
    /// How a system tells residues apart, if all of its floors do so.
    fn of(system: &System, coordinates: usize) -> Option<Self> {
        let first = system.floors.first()?;
        let slicing = Self {
            column: first.numerator.support().next()?,
            modulus: first.denominator,
        };
        let is_coordinate = (1..=coordinates)
            .any(|back| slicing.column == Column::at_place(system.variables - back));
        (is_coordinate && slicing.modulus <= MOST_RESIDUES && slicing.has_floors_of(system))
            .then_some(slicing)
    }

    /// Whether all floors of a system, which has some, are functions of the residue and of `q`.
    fn has_floors_of(self, system: &System) -> bool {
        !system.floors.is_empty()
            && system.floors.iter().all(|floor| {
                floor.denominator == self.modulus
                    && floor.numerator.support().eq([self.column])
                    && floor.numerator.coefficient(self.column) == 1
            })
    }

    /// The same points, with one system for those of which all slices are similar to those of others.
    fn merged(self, systems: Vec<System>) -> Result<Vec<System>, Refusal> {
        let mut is_left: Vec<bool> = systems.iter().map(|x| !self.has_floors_of(x)).collect();
        let mut complete = Vec::new();
        for similar in self.similar_slices(&systems, &mut is_left)? {
            match self.union(&similar)? {
                Some(union) => complete.push((union, similar.sources)),
                None => similar.sources.iter().for_each(|idx| is_left[*idx] = true),
            }
        }
        let mut before = usize::MAX;
        while complete.len() < before {
            before = complete.len();
            complete.retain(|(_, sources)| {
                let is_kept = !sources.iter().any(|idx| is_left[*idx]);
                if !is_kept {
                    sources.iter().for_each(|idx| is_left[*idx] = true);
                }
                is_kept
            });
        }
        let rest = systems.into_iter().zip(is_left).filter(|x| x.1);
        let mut merged: Vec<System> = rest.map(|x| x.0).collect();
        merged.extend(complete.into_iter().map(|x| x.0));
        Ok(merged)
    }

    /// The slices of all systems that are not left, among which those are from then on that have none of this form.
    fn similar_slices(
        self,
        systems: &[System],
        is_left: &mut [bool],
    ) -> Result<Vec<SimilarSlices>, Refusal> {
        let mut all: Vec<SimilarSlices> = Vec::new();
        for (idx, system) in systems.iter().enumerate() {
            for residue in 0..self.modulus {
                if is_left[idx] {
                    break;
                }
                let Some(points) = self.points(system, residue)? else {
                    continue;
                };
                match self.slice(&points, residue)? {
                    Some((slice, constants)) => {
                        SimilarSlices::add(&mut all, slice, &constants, (idx, residue));
                    }
                    None => is_left[idx] = true,
                }
            }
        }
        Ok(all)
    }

    /// The points of a system with a residue, over `q` in the place of `r`, its constraints in lowest terms; `None` where there
    /// are none.
    fn points(self, system: &System, residue: i64) -> Result<Option<System>, Refusal> {
        let width = 1 + system.variables;
        let q = Affine::variable(width, self.column);
        let one = Affine::constant(width, 1);
        let r = q.times(self.modulus)?.plus(residue, &one)?;
        let sliced = |form: &Affine| {
            let mut row = form.coefficients()[..width].to_vec();
            let own = std::mem::take(&mut row[self.column]);
            let mut row = Affine::new(row).plus(own, &r)?;
            for (idx, floor) in system.floors.iter().enumerate() {
                let more = (floor.numerator.constant_term() + residue).div_euclid(self.modulus);
                let factor = form.coefficient(system.floor_column(idx));
                row = row.plus(factor, &q.plus(more, &one)?)?;
            }
            Ok::<_, Refusal>(row)
        };
        let mut points = System::universe(system.variables);
        for form in &system.equalities {
            let form = sliced(form)?;
            let common = common_factor(&form).max(1);
            if form.constant_term() % common != 0 {
                return Ok(None);
            }
            points.equalities.push(divided(&form, common));
        }
        for form in &system.inequalities {
            let form = sliced(form)?;
            points
                .inequalities
                .push(divided(&form, common_factor(&form).max(1)));
        }
        let has_point = !points.is_infeasible();
        Ok(has_point.then_some(points))
    }

    /// A slice by its points over `q`, with the constants of its bounds; `None` where a bound is no number of steps of `q`.
    fn slice(self, points: &System, residue: i64) -> Result<Option<(Slice, Vec<i64>)>, Refusal> {
        let mut rest = System::universe(points.variables);
        let mut bounds = Vec::new();
        let mut all = points.inequalities.clone();
        for form in &points.equalities {
            match form.coefficient(self.column) {
                0 if form.is_constant() => {}
                0 => rest.equalities.push(form.clone()),
                _ => all.extend([form.clone(), form.times(-1)?]),
            }
        }
        for form in all {
            match form.coefficient(self.column) {
                0 if form.is_constant() => {}
                0 => rest.inequalities.push(form),
                own @ (-1 | 1) => {
                    // `0 <= ±q + e` is `0 <= ±r + modulus·e` but for the residue.
                    let mut row = form.times(self.modulus)?.coefficients().to_vec();
                    row[self.column] = own;
                    row[0] -= own * residue;
                    bounds.push(Affine::new(row));
                }
                _ => return Ok(None),
            }
        }
        in_order(&mut rest.equalities);
        in_order(&mut rest.inequalities);
        in_order(&mut bounds);
        let constants = bounds.iter().map(Affine::constant_term).collect();
        let without_constant =
            |form: &Affine| Affine::new([&[0], &form.coefficients()[1..]].concat());
        let bounds = bounds.iter().map(without_constant).collect();
        Ok(Some((Slice { rest, bounds }, constants)))
    }

    /// The system of which these are all slices; `None` where there is none.
    fn union(self, similar: &SimilarSlices) -> Result<Option<System>, Refusal> {
        let mut residues = similar.residues.clone();
        residues.sort_unstable();
        // A bound that is zero at one residue may be greater by less than the modulus: the next point is so far from there.
        let is_complete = residues.into_iter().eq(0..self.modulus)
            && similar
                .constants
                .iter()
                .all(|(least, most)| most - least < self.modulus);
        if !is_complete {
            return Ok(None);
        }
        let mut union = similar.slice.rest.clone();
        for (form, (_, most)) in similar.slice.bounds.iter().zip(&similar.constants) {
            let one = Affine::constant(form.columns(), 1);
            union.inequalities.push(form.plus(*most, &one)?);
        }
        Ok(Some(union))
    }
}

impl SimilarSlices {
    fn add(all: &mut Vec<Self>, slice: Slice, constants: &[i64], (idx, residue): (usize, i64)) {
        match all.iter_mut().find(|x| x.slice == slice) {
            Some(similar) => {
                similar.sources.push(idx);
                similar.residues.push(residue);
                for ((least, most), constant) in similar.constants.iter_mut().zip(constants) {
                    *least = (*least).min(*constant);
                    *most = (*most).max(*constant);
                }
            }
            None => all.push(Self {
                slice,
                sources: vec![idx],
                residues: vec![residue],
                constants: constants.iter().map(|x| (*x, *x)).collect(),
            }),
        }
    }
}

/// The greatest number that divides all coefficients but the constant one; zero where these are.
fn common_factor(form: &Affine) -> i64 {
    let coefficients = form.coefficients()[1..].iter();
    coefficients.fold(0, |common, x| gcd(*x, common))
}

/// A form divided by a number that divides all coefficients but the constant one, which is rounded down.
fn divided(form: &Affine, divisor: i64) -> Affine {
    let divided = form.coefficients().iter().map(|x| x.div_euclid(divisor));
    Affine::new(divided.collect())
}

/// Sorts forms; of those that are equal but for the constant, the one of least constant is left.
fn in_order(forms: &mut Vec<Affine>) {
    let direction = |form: &Affine| form.coefficients()[1..].to_vec();
    forms.sort_by_cached_key(|form| (direction(form), form.constant_term()));
    forms.dedup_by(|next, kept| direction(next) == direction(kept));
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_presburger::Floor;
    use proptest::collection::vec;
    use proptest::prelude::*;

    /// `{ least <= r, r <= most + i, from <= (r + shift) mod modulus <= to }` over `i` and `r`.
    fn sliced(
        (shift, modulus): (i64, i64),
        (from, to): (i64, i64),
        (least, most): (i64, i64),
    ) -> System {
        let mut system = System::universe(2);
        system.floors.push(Floor {
            numerator: Affine::new(vec![shift, 0, 1, 0]),
            denominator: modulus,
        });
        let rows = [
            [-least, 0, 1, 0],
            [most, 1, -1, 0],
            [shift - from, 0, 1, -modulus],
            [to - shift, 0, -1, modulus],
        ];
        system
            .inequalities
            .extend(rows.map(|row| Affine::new(row.to_vec())));
        system
    }

    fn has(system: &System, i: i64, r: i64) -> bool {
        let mut point = vec![i128::from(i), i128::from(r)];
        for floor in &system.floors {
            let numerator = &floor.numerator.coefficients()[..3];
            let numerator = Affine::new(numerator.to_vec())
                .at(&point[..2])
                .expect("it is small");
            point.push(numerator.div_euclid(i128::from(floor.denominator)));
        }
        let at = |form: &Affine| form.at(&point).expect("it is small");
        system.equalities.iter().all(|form| at(form) == 0)
            && system.inequalities.iter().all(|form| 0 <= at(form))
    }

    #[test]
    fn rows_by_two_of_four_are_rows() {
        let scaled = |mut system: System, less: i64| {
            system.inequalities[1] = Affine::new(vec![-less, 4, -1, 0]);
            system
        };
        let one = scaled(sliced((0, 4), (2, 3), (0, 0)), 1);
        let other = scaled(sliced((0, 4), (0, 1), (0, 0)), 3);
        let all = without_slices(vec![one, other], 1).expect("it is small");
        let [whole] = &all[..] else {
            panic!("they are one system: {all:?}");
        };
        assert!(whole.floors.is_empty());
        for (i, r) in (0..5).flat_map(|i| (-3..20).map(move |r| (i, r))) {
            assert_eq!(has(whole, i, r), 0 <= r && r < 4 * i);
        }
    }

    proptest! {
        #[test]
        fn points_are_the_same(
            modulus in 2..6_i64,
            shift in -3..4_i64,
            ends in vec((-2..3_i64, 0..9_i64, 0..2_i64), 1..4),
            factor in prop_oneof![Just(0_i64), 1..3_i64, Just(4_i64)],
        ) {
            // Residues from 0 on, one or two for each system; the last one has the rest.
            let mut systems = Vec::new();
            let mut from = 0;
            for (idx, (least, most, more)) in ends.iter().enumerate() {
                let to = if idx + 1 == ends.len() { modulus - 1 } else { from + more };
                if from <= to && to < modulus {
                    let mut system = sliced((shift, modulus), (from, to), (*least, *most));
                    system.inequalities[1] = Affine::new(vec![*most, factor, -1, 0]);
                    systems.push(system);
                    from = to + 1;
                }
            }
            let merged = without_slices(systems.clone(), 1).expect("it is small");
            for (i, r) in (-2..6).flat_map(|i| (-6..40).map(move |r| (i, r))) {
                let before = systems.iter().filter(|system| has(system, i, r)).count();
                let after = merged.iter().filter(|system| has(system, i, r)).count();
                prop_assert_eq!(before, after, "i = {}, r = {}: {:?}", i, r, merged);
            }
        }
    }
}
