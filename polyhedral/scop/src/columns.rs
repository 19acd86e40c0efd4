//! Forms over the columns of a scop, and their quotients by constants.

use crate::polynomial::{Polynomial, Symbol};
use crate::reject::Obstacle;
use crate::scop::SymbolicParameter;
use crate::strip::Strip;
use premiss_arithmetic::gcd;
use premiss_presburger::{Affine, Column, System};
use std::collections::BTreeMap;

/// A quotient falls into no more cases than this.
const MOST_QUOTIENTS: i128 = 4096;

/// The columns of an access's forms, and what is known of them.
#[derive(Debug)]
pub(crate) struct Columns<'a> {
    /// How many columns there are: the constant one, those of sizes, those of the loops around.
    pub(crate) width: usize,
    /// The symbolic sizes.
    pub(crate) sizes: &'a [SymbolicParameter],
    /// The first column of each iterator around; a stripped one has the next as well.
    pub(crate) places: &'a BTreeMap<usize, Column>,
    pub(crate) strips: &'a [Strip],
    /// What is assumed of the sizes.
    pub(crate) context: &'a System,
}

/// A part of an access's domain under construction.
#[derive(Clone, Debug, Default)]
pub(crate) struct PieceBuilder {
    pub(crate) zeros: Vec<Affine>,
    pub(crate) inequalities: Vec<Affine>,
    /// The floors that are known there.
    pub(crate) floors: BTreeMap<usize, Affine>,
    /// The coordinates of the line, as far as known.
    pub(crate) line: Vec<Affine>,
}

/// `form = by·quotient + rest` with `0 <= rest < by`, wherever no condition is negative.
#[derive(Debug)]
pub(crate) struct SplitQuotient {
    pub(crate) conditions: Vec<Affine>,
    pub(crate) quotient: Affine,
    pub(crate) rest: Affine,
}

impl Columns<'_> {
    /// The least and greatest value of a column, where these are small constants.
    pub(crate) fn range(&self, column: Column) -> Option<(i64, i64)> {
        self.places
            .iter()
            .find_map(|(number, place)| match self.strips[*number] {
                Strip::Few(first, last) if *place == column => Some((first, last)),
                Strip::Blocks(factor) if place.offset(1) == column => Some((0, factor - 1)),
                _ => None,
            })
    }

    /// An affine polynomial over the columns.
    pub(crate) fn form(
        &self,
        polynomial: &Polynomial,
        floors: &BTreeMap<usize, Affine>,
    ) -> Result<Affine, Obstacle> {
        let mut form = Affine::constant(self.width, 0);
        for (product, coefficient) in polynomial.terms() {
            let term = match product {
                [] => Affine::constant(self.width, 1),
                [Symbol::Size(number)] => Affine::variable(self.width, Column::at_place(*number)),
                [Symbol::Floor(number)] => floors.get(number).ok_or(Obstacle::NonAffine)?.clone(),
                [Symbol::Iterator(number)] => self.iterator(*number)?,
                _ => return Err(Obstacle::NonAffine),
            };
            form = form.plus(coefficient, &term)?;
        }
        Ok(form)
    }

    fn iterator(&self, number: usize) -> Result<Affine, Obstacle> {
        let place = *self.places.get(&number).ok_or(Obstacle::NonAffine)?;
        let outer = Affine::variable(self.width, place);
        match self.strips[number] {
            Strip::Whole | Strip::Few(..) => Ok(outer),
            Strip::Blocks(factor) => {
                let inner = Affine::variable(self.width, place.offset(1));
                Ok(inner.plus(factor, &outer)?)
            }
        }
    }

    /// The least and greatest value of a form over columns of small range.
    fn extremes(&self, form: &Affine) -> Result<(i128, i128), Obstacle> {
        let constant = i128::from(form.constant_term());
        let (mut least, mut greatest) = (constant, constant);
        for column in form.support() {
            let (first, last) = self.range(column).ok_or(Obstacle::NonAffine)?;
            let coefficient = i128::from(form.coefficient(column));
            let ends = [
                coefficient * i128::from(first),
                coefficient * i128::from(last),
            ];
            least += ends[0].min(ends[1]);
            greatest += ends[0].max(ends[1]);
        }
        Ok((least, greatest))
    }

    /// A form as `by·outer + rest`, the rest over the constant and columns of small range.
    fn parts(&self, form: &Affine, by: i64) -> Result<(Affine, Affine), Obstacle> {
        let mut outer = vec![0; self.width];
        let mut rest = vec![0; self.width];
        rest[0] = form.constant_term();
        for column in form.support() {
            let coefficient = form.coefficient(column);
            if coefficient % by == 0 {
                outer[column] = coefficient / by;
            } else if self.range(column).is_some() {
                rest[column] = coefficient;
            } else if let Some(size) = self.sizes.get(column.place()) {
                return Err(residue(size, coefficient, by));
            } else {
                return Err(Obstacle::NonAffine);
            }
        }
        Ok((Affine::new(outer), Affine::new(rest)))
    }

    /// The quotient by a positive number, rounded down, case by case.
    pub(crate) fn divided(&self, form: &Affine, by: i64) -> Result<Vec<SplitQuotient>, Obstacle> {
        let (outer, rest) = self.parts(form, by)?;
        let (least, greatest) = self.extremes(&rest)?;
        let wide = i128::from(by);
        let (first, last) = (least.div_euclid(wide), greatest.div_euclid(wide));
        if MOST_QUOTIENTS <= last - first {
            return Err(Obstacle::Cases(
                usize::try_from(MOST_QUOTIENTS).unwrap_or(0),
            ));
        }
        let one = Affine::constant(self.width, 1);
        let mut all = Vec::new();
        for quotient in first..=last {
            let quotient = i64::try_from(quotient).map_err(|_| Obstacle::Overflow)?;
            let start = by.checked_mul(quotient).ok_or(Obstacle::Overflow)?;
            let inside = rest.plus(start.checked_neg().ok_or(Obstacle::Overflow)?, &one)?;
            let mut conditions = Vec::new();
            if least < i128::from(start) {
                conditions.push(inside.clone());
            }
            if i128::from(start) + wide <= greatest {
                conditions.push(inside.times(-1)?.plus(by - 1, &one)?);
            }
            all.push(SplitQuotient {
                conditions,
                quotient: outer.plus(quotient, &one)?,
                rest: inside,
            });
        }
        Ok(all)
    }

    /// Whether there may be a point in a part.
    pub(crate) fn may_hold(&self, part: &PieceBuilder) -> bool {
        let mut system = self.constraints(part);
        let context = self.context.inequalities.iter();
        let context = context.map(|form| form.widened(self.width));
        system.inequalities.extend(context);
        !system.is_infeasible()
    }

    /// Adds `0 <= form`, in its simplest shape; yields whether it can hold.
    ///
    /// `8·x + y + 3 >= 0` with `0 <= y <= 4` is `x >= 0`.
    pub(crate) fn add(&self, part: &mut PieceBuilder, form: Affine) -> Result<bool, Obstacle> {
        let is_open = |column: &Column| self.range(*column).is_none();
        let open = form.support().filter(is_open);
        let common = open.fold(0, |common, column| gcd(common, form.coefficient(column)));
        if common == 0 {
            let (least, greatest) = self.extremes(&form)?;
            if least < 0 {
                part.inequalities.push(form);
            }
            return Ok(0 <= greatest);
        }
        let (outer, rest) = self.parts(&form, common)?;
        let (least, greatest) = self.extremes(&rest)?;
        let wide = i128::from(common);
        let quotient = least.div_euclid(wide);
        let simplest = if quotient == greatest.div_euclid(wide) {
            let quotient = i64::try_from(quotient).map_err(|_| Obstacle::Overflow)?;
            outer.plus(quotient, &Affine::constant(self.width, 1))?
        } else {
            form
        };
        if !part.inequalities.contains(&simplest) {
            part.inequalities.push(simplest);
        }
        Ok(true)
    }

    /// Adds `form = 0`, in its simplest shape.
    ///
    /// `8·x - 8·z + y = 0` with `0 <= y <= 7` is `x = z` and `y = 0`.
    pub(crate) fn add_zero(&self, part: &mut PieceBuilder, form: Affine) -> Result<(), Obstacle> {
        let is_open = |column: &Column| self.range(*column).is_none();
        let open = form.support().filter(is_open);
        let common = open.fold(0, |common, column| gcd(common, form.coefficient(column)));
        if common < 2 {
            part.zeros.push(form);
            return Ok(());
        }
        let (outer, rest) = self.parts(&form, common)?;
        let (least, greatest) = self.extremes(&rest)?;
        let wide = i128::from(common);
        // The rest is a multiple of the common factor: here the only one in its range.
        let multiple = greatest.div_euclid(wide);
        if least <= (multiple - 1) * wide || multiple * wide < least {
            part.zeros.push(form);
            return Ok(());
        }
        let multiple = i64::try_from(multiple).map_err(|_| Obstacle::Overflow)?;
        let taken = common.checked_mul(multiple).ok_or(Obstacle::Overflow)?;
        let one = Affine::constant(self.width, 1);
        part.zeros.push(outer.plus(multiple, &one)?);
        let rest = rest.plus(-taken, &one)?;
        if rest.support().next().is_some() {
            part.zeros.push(rest);
        }
        Ok(())
    }

    /// The domain of a part, with the context's constraints on the sizes: without them, operations on sets would
    /// distinguish cases that do not occur.
    pub(crate) fn system(&self, part: &PieceBuilder) -> System {
        let mut system = self.constraints(part);
        for form in &self.context.inequalities {
            let form = form.widened(self.width);
            if !system.implies(&form) {
                system.inequalities.push(form);
            }
        }
        system
    }

    fn constraints(&self, part: &PieceBuilder) -> System {
        let mut system = System::universe(self.width - 1);
        system.equalities.clone_from(&part.zeros);
        system.inequalities.clone_from(&part.inequalities);
        for column in Column::variables(self.width - 1) {
            if let Some((first, last)) = self.range(column) {
                system
                    .inequalities
                    .extend(bounds(self.width, column, first, last));
            }
        }
        system
    }
}

/// The obstacle that says modulo which number a size must be known for `coefficient·x` to be known modulo `modulus`.
pub(crate) fn residue(size: &SymbolicParameter, coefficient: i64, modulus: i64) -> Obstacle {
    let needed = modulus / gcd(coefficient, modulus);
    Obstacle::Residue(size.id, needed.saturating_mul(size.factor))
}

/// `first <= column <= last`.
fn bounds(width: usize, column: Column, first: i64, last: i64) -> [Affine; 2] {
    let mut lower = vec![0; width];
    let mut upper = vec![0; width];
    (lower[0], lower[column]) = (first.saturating_neg(), 1);
    (upper[0], upper[column]) = (last, -1);
    [Affine::new(lower), Affine::new(upper)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_tree::ParameterId;

    fn size() -> SymbolicParameter {
        SymbolicParameter {
            id: ParameterId::from_u32(0),
            factor: 4,
            residue: 1,
        }
    }

    /// Columns of a size `n`, of blocks `x` and places `y` of a loop in blocks of eight, and of a whole loop `z`.
    fn with_columns<T>(check: impl FnOnce(&Columns<'_>) -> T) -> T {
        let places = BTreeMap::from([(0, Column::new(2)), (1, Column::new(4))]);
        check(&Columns {
            width: 5,
            sizes: &[size()],
            places: &places,
            strips: &[Strip::Blocks(8), Strip::Whole],
            context: &System::universe(1),
        })
    }

    fn affine(coefficients: [i64; 5]) -> Affine {
        Affine::new(coefficients.to_vec())
    }

    #[test]
    fn an_iterator_in_blocks_is_eight_blocks_and_a_place() {
        let variable = Polynomial::symbol(Symbol::Iterator(0));
        let form = with_columns(|columns| columns.form(&variable, &BTreeMap::new()));
        assert_eq!(form, Ok(affine([0, 0, 8, 1, 0])));
    }

    #[test]
    fn quotients_are_exact_in_the_one_case_that_holds() {
        // 16·x + 3·y - 5 + 8·z by 8
        let form = affine([-5, 0, 16, 3, 8]);
        let all = with_columns(|columns| columns.divided(&form, 8)).expect("y is small");
        for (x, y, z) in [(0, 0, 0), (1, 1, 0), (0, 2, 1), (-1, 7, 3), (2, 5, -4)] {
            let point = [0, x, y, z];
            let at = |form: &Affine| form.at(&point).expect("it is small");
            let holds = |case: &&SplitQuotient| case.conditions.iter().all(|x| 0 <= at(x));
            let holding: Vec<_> = all.iter().filter(holds).collect();
            let [case] = &holding[..] else {
                panic!("one case holds at {point:?}");
            };
            let value = at(&form);
            let expected = (value.div_euclid(8), value.rem_euclid(8));
            assert_eq!((at(&case.quotient), at(&case.rest)), expected);
        }
    }

    #[test]
    fn a_size_that_is_not_known_modulo_the_divisor_says_modulo_what_it_must_be() {
        // The size is 4·n + 1: 8·n by 8 is n; 2·n by 8 needs n modulo 4, the size modulo 16.
        let by_eight = |n: i64| {
            let form = affine([0, n, 0, 0, 0]);
            with_columns(|columns| columns.divided(&form, 8).map(|all| all.len()))
        };
        assert_eq!(by_eight(8), Ok(1));
        assert_eq!(by_eight(2), Err(Obstacle::Residue(size().id, 16)));
        let whole = with_columns(|columns| columns.divided(&affine([0, 0, 0, 0, 2]), 8).err());
        assert_eq!(whole, Some(Obstacle::NonAffine), "z may have any remainder");
    }

    #[test]
    fn a_bound_on_blocks_forgets_the_place_that_does_not_matter() {
        with_columns(|columns| {
            let mut part = PieceBuilder::default();
            // 8·x + y - 8·z + 0 >= 0 is x >= z; 8·x + y - 3 >= 0 stays as it is.
            assert_eq!(columns.add(&mut part, affine([0, 0, 8, 1, -8])), Ok(true));
            assert_eq!(columns.add(&mut part, affine([-3, 0, 8, 1, 0])), Ok(true));
            let expected = [affine([0, 0, 1, 0, -1]), affine([-3, 0, 8, 1, 0])];
            assert_eq!(part.inequalities, expected);
            // y <= 7 always holds, y >= 8 never, y >= 3 sometimes.
            let mut part = PieceBuilder::default();
            assert_eq!(columns.add(&mut part, affine([7, 0, 0, -1, 0])), Ok(true));
            assert!(part.inequalities.is_empty());
            assert_eq!(columns.add(&mut part, affine([-3, 0, 0, 1, 0])), Ok(true));
            assert_eq!(part.inequalities.len(), 1);
            assert_eq!(columns.add(&mut part, affine([-8, 0, 0, 1, 0])), Ok(false));
        });
    }

    #[test]
    fn an_equation_between_blocks_fixes_the_place() {
        with_columns(|columns| {
            let zeros = |form: Affine| {
                let mut part = PieceBuilder::default();
                columns.add_zero(&mut part, form).expect("it is small");
                part.zeros
            };
            // 8·x - 8·z + y = 0 is x = z and y = 0; with 3 more, x = z - 1 and y = 5.
            let first = [affine([0, 0, 1, 0, -1]), affine([0, 0, 0, 1, 0])];
            assert_eq!(zeros(affine([0, 0, 8, 1, -8])), first);
            let second = [affine([1, 0, 1, 0, -1]), affine([-5, 0, 0, 1, 0])];
            assert_eq!(zeros(affine([3, 0, 8, 1, -8])), second);
            let coprime = affine([0, 0, 1, 1, -1]);
            assert_eq!(zeros(coprime.clone()), [coprime]);
        });
    }
}
