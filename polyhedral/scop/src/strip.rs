//! Which loops are strip-mined, and by how much.
//!
//! A form is known modulo m where each iterator in it is stripped by a factor that makes its
//! coefficient a multiple of m: `8·i` modulo 64 wants `i = 8·i1 + i2`. Iterators that are compared
//! with stripped ones are stripped too, so that bounds fall apart into those of blocks and those
//! within blocks.

use crate::columns::residue;
use crate::condition::Conjunction;
use crate::evaluate::FloorOf;
use crate::polynomial::{Polynomial, Symbol};
use crate::reject::Obstacle;
use crate::scop::SymbolicParameter;
use premiss_arithmetic::{gcd, lcm};
use std::collections::BTreeSet;

/// Loops of so few iterations need no blocks.
const FEW: i64 = 3;
/// Comparisons require no blocks longer than this.
const LONGEST: i64 = 1024;
/// Steps through an array require no blocks of more rows or lines than this.
const MOST_STEPS: i64 = 64;

/// What becomes of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Strip {
    /// It stays as it is.
    Whole,
    /// It stays, and takes few values: from the first to the second.
    Few(i64, i64),
    /// It becomes a loop over blocks of this many iterations, and one within a block.
    Blocks(i64),
}

/// The subscripts in one dimension of an array.
#[derive(Debug)]
pub(crate) struct Dimension<'a> {
    pub(crate) subscripts: Vec<&'a Polynomial>,
    /// How many consecutive subscripts share a coordinate: one row, or in the last dimension the bytes of a line.
    pub(crate) unit: i64,
    /// Whether each access touches a whole line: then it does not matter which sweeps meet in a line.
    pub(crate) is_of_elements: bool,
}

/// How long blocks must be, for each iterator; 1 where there need be none.
#[derive(Debug)]
pub(crate) struct Factors<'a> {
    factors: Vec<i64>,
    floors: &'a [FloorOf],
}

impl<'a> Factors<'a> {
    pub(crate) fn new(n_iterators: usize, floors: &'a [FloorOf]) -> Self {
        Self {
            factors: vec![1; n_iterators],
            floors,
        }
    }

    /// Makes an affine form known modulo a number.
    pub(crate) fn require(&mut self, form: &Polynomial, modulus: i64) -> Result<(), Obstacle> {
        for (product, coefficient) in form.terms() {
            let needed = modulus / gcd(coefficient, modulus);
            match product {
                [Symbol::Iterator(number)] => {
                    self.factors[*number] =
                        lcm(self.factors[*number], needed).ok_or(Obstacle::Overflow)?;
                }
                [Symbol::Floor(number)] => {
                    let floor = &self.floors[*number];
                    let inner = floor.denominator.checked_mul(needed);
                    self.require(&floor.numerator, inner.ok_or(Obstacle::Overflow)?)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Strips what is compared with stripped iterators, and what names the same rows of an array.
    pub(crate) fn close(
        &mut self,
        domains: &[&Conjunction],
        dimensions: &[Dimension<'_>],
    ) -> Result<(), Obstacle> {
        loop {
            let before = self.factors.clone();
            for constraint in domains.iter().copied().flatten() {
                self.close_one(constraint.polynomial())?;
            }
            for dimension in dimensions {
                if dimension.unit == 1 {
                    self.close_rows(&dimension.subscripts)?;
                }
                if let Some(modulus) = self.common_step(dimension)? {
                    let sweeps: Vec<&Polynomial> = self.sweeps(dimension).collect();
                    for subscript in sweeps {
                        self.require(subscript, modulus)?;
                    }
                }
            }
            if self.factors == before {
                return Ok(());
            }
        }
    }

    fn close_one(&mut self, form: &Polynomial) -> Result<(), Obstacle> {
        let modulus = self.block(form)?;
        for (product, coefficient) in form.terms() {
            if let [Symbol::Iterator(number)] = product {
                let needed = modulus / gcd(coefficient, modulus);
                let wanted = lcm(self.factors[*number], needed).ok_or(Obstacle::Overflow)?;
                if wanted <= LONGEST {
                    self.factors[*number] = wanted;
                }
            }
        }
        Ok(())
    }

    /// Rows are compared by whether they are the same.
    fn close_rows(&mut self, subscripts: &[&Polynomial]) -> Result<(), Obstacle> {
        let mut modulus = 1;
        for subscript in subscripts {
            modulus = lcm(modulus, self.block(subscript)?).ok_or(Obstacle::Overflow)?;
        }
        if modulus <= LONGEST {
            for subscript in subscripts {
                self.require(subscript, modulus)?;
            }
        }
        Ok(())
    }

    /// Where an array is swept in different steps, remainders decide which iterations of two sweeps meet: for `a[3*i]`
    /// and `a[j]` that of `j` modulo 3. Yields the number of bytes or rows modulo which subscripts of one iterator must
    /// be known; `None` where all agree.
    ///
    /// In lines of eight, `i = 8·i1 + i2` is in line `3·i1 + q`, and what is in line `j1` must be
    /// known modulo three lines: `j = 24·j1 + j2`.
    fn common_step(&self, dimension: &Dimension<'_>) -> Result<Option<i64>, Obstacle> {
        let mut modulus = dimension.unit;
        for subscript in self.sweeps(dimension) {
            modulus = lcm(modulus, self.step(subscript)?).ok_or(Obstacle::Overflow)?;
        }
        let mut differ = false;
        for subscript in self.sweeps(dimension) {
            differ |= self.step(subscript)? != modulus || self.has_sizes(subscript);
        }
        let is_wanted = differ && !dimension.is_of_elements;
        Ok((is_wanted && modulus / dimension.unit <= MOST_STEPS).then_some(modulus))
    }

    /// The subscripts in a dimension that one iterator decides.
    fn sweeps<'d>(&self, dimension: &'d Dimension<'_>) -> impl Iterator<Item = &'d Polynomial> {
        let all = dimension.subscripts.iter().copied();
        all.filter(|form| self.iterators(form) == 1)
    }

    fn iterators(&self, form: &Polynomial) -> usize {
        let count = |(product, _): (&[Symbol], i64)| match product {
            [Symbol::Iterator(_)] => 1,
            [Symbol::Floor(number)] => self.iterators(&self.floors[*number].numerator),
            _ => 0,
        };
        form.terms().map(count).sum()
    }

    fn has_sizes(&self, form: &Polynomial) -> bool {
        form.terms().any(|(product, _)| match product {
            [Symbol::Size(_)] => true,
            [Symbol::Floor(number)] => self.has_sizes(&self.floors[*number].numerator),
            _ => false,
        })
    }

    /// By how much a form of one iterator moves from one block to the next.
    fn step(&self, form: &Polynomial) -> Result<i64, Obstacle> {
        for (product, coefficient) in form.terms() {
            let inner = match product {
                [Symbol::Iterator(number)] => self.factors[*number],
                [Symbol::Floor(number)] => {
                    let floor = &self.floors[*number];
                    match self.step(&floor.numerator)? {
                        0 => continue,
                        step => step / floor.denominator,
                    }
                }
                _ => continue,
            };
            let step = coefficient.checked_mul(inner).ok_or(Obstacle::Overflow)?;
            return Ok(step.saturating_abs().max(1));
        }
        Ok(0)
    }

    /// Fails where a size that is not known well enough decides where sweeps through an array in different steps meet.
    pub(crate) fn check_sizes(
        &self,
        dimensions: &[Dimension<'_>],
        sizes: &[SymbolicParameter],
    ) -> Result<(), Obstacle> {
        for dimension in dimensions {
            if let Some(modulus) = self.common_step(dimension)? {
                for subscript in self.sweeps(dimension) {
                    self.check_size(subscript, modulus, sizes)?;
                }
            }
        }
        Ok(())
    }

    fn check_size(
        &self,
        form: &Polynomial,
        modulus: i64,
        sizes: &[SymbolicParameter],
    ) -> Result<(), Obstacle> {
        for (product, coefficient) in form.terms() {
            let needed = modulus / gcd(coefficient, modulus);
            match product {
                [Symbol::Size(number)] if 1 < needed => {
                    return Err(residue(&sizes[*number], coefficient, modulus));
                }
                [Symbol::Floor(number)] => {
                    let floor = &self.floors[*number];
                    let inner = floor.denominator.checked_mul(needed);
                    let inner = inner.ok_or(Obstacle::Overflow)?;
                    self.check_size(&floor.numerator, inner, sizes)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The least modulus by which the stripped iterators of a form are known.
    fn block(&self, form: &Polynomial) -> Result<i64, Obstacle> {
        let mut modulus = 1;
        for (product, coefficient) in form.terms() {
            if let [Symbol::Iterator(number)] = product
                && 1 < self.factors[*number]
            {
                let step = coefficient.checked_mul(self.factors[*number]);
                modulus = lcm(modulus, step.ok_or(Obstacle::Overflow)?.saturating_abs())
                    .ok_or(Obstacle::Overflow)?;
            }
        }
        Ok(modulus)
    }

    /// What becomes of each loop; `domains` are those of all accesses.
    pub(crate) fn strips(&self, domains: &[&Conjunction]) -> Vec<Strip> {
        let few = few(self.factors.len(), domains);
        let strip = |(factor, few): (&i64, &Range)| match (factor, few) {
            (1, _) => Strip::Whole,
            (_, Range::Few(first, last)) => Strip::Few(*first, *last),
            (factor, Range::None | Range::Long) => Strip::Blocks(*factor),
        };
        self.factors.iter().zip(&few).map(strip).collect()
    }
}

/// The values that an iterator takes.
#[derive(Clone, Copy)]
enum Range {
    /// It occurs nowhere.
    None,
    /// At most [`FEW`] from the first to the last, as constants say wherever it occurs.
    Few(i64, i64),
    Long,
}

/// The values of each of so many iterators.
fn few(count: usize, domains: &[&Conjunction]) -> Vec<Range> {
    let mut ranges = vec![Range::None; count];
    for domain in domains {
        for number in iterators(domain) {
            let range = &mut ranges[number];
            *range = match (*range, ends(number, domain)) {
                (Range::Long, _) | (_, None) => Range::Long,
                (Range::None, Some((first, last))) => Range::of(first, last),
                (Range::Few(a, b), Some((first, last))) => Range::of(a.min(first), b.max(last)),
            };
        }
    }
    ranges
}

impl Range {
    fn of(first: i64, last: i64) -> Self {
        let is_few = |length: i64| length < FEW;
        match last.checked_sub(first).is_some_and(is_few) {
            true => Self::Few(first, last),
            false => Self::Long,
        }
    }
}

/// The iterators that constraints mention.
fn iterators(domain: &Conjunction) -> BTreeSet<usize> {
    let products = domain
        .iter()
        .flat_map(|constraint| constraint.polynomial().terms())
        .flat_map(|(product, _)| product);
    let number = |symbol: &Symbol| match symbol {
        Symbol::Iterator(number) => Some(*number),
        _ => None,
    };
    products.filter_map(number).collect()
}

/// The constants between which constraints keep an iterator.
fn ends(number: usize, domain: &Conjunction) -> Option<(i64, i64)> {
    let (mut first, mut last) = (None, None);
    for constraint in domain {
        let form = constraint.polynomial();
        let mut terms = form.terms().filter(|(product, _)| !product.is_empty());
        let (Some((product, factor)), None) = (terms.next(), terms.next()) else {
            continue;
        };
        match factor {
            _ if *product != [Symbol::Iterator(number)] => {}
            1 => first = first.max(Some(-form.constant_term())),
            -1 => {
                let bound = form.constant_term();
                last = Some(last.map_or(bound, |last: i64| last.min(bound)));
            }
            _ => {}
        }
    }
    first.zip(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::condition::Constraint;
    use crate::test_forms::{between, form};

    const I: Symbol = Symbol::Iterator(0);
    const J: Symbol = Symbol::Iterator(1);

    /// What becomes of the loops over `i` and `j` whose accesses have these subscripts in bytes, in lines of 64.
    fn strips(subscripts: &[Polynomial], domains: &[&Conjunction]) -> Vec<Strip> {
        let mut factors = Factors::new(2, &[]);
        for subscript in subscripts {
            factors.require(subscript, 64).expect("it is small");
        }
        let dimension = Dimension {
            subscripts: subscripts.iter().collect(),
            unit: 64,
            is_of_elements: false,
        };
        factors.close(domains, &[dimension]).expect("it is small");
        factors.strips(domains)
    }

    #[test]
    fn a_loop_is_in_blocks_of_as_many_iterations_as_make_whole_lines() {
        let domain = between(I, 0, 99);
        for (bytes, strip) in [
            (8, Strip::Blocks(8)),
            (4, Strip::Blocks(16)),
            (24, Strip::Blocks(8)),
            (-8, Strip::Blocks(8)),
            (32, Strip::Blocks(2)),
            (64, Strip::Whole),
            (128, Strip::Whole),
        ] {
            let found = strips(&[form(0, &[(I, bytes)])], &[&domain]);
            assert_eq!(found, [strip, Strip::Whole], "{bytes} bytes");
        }
    }

    #[test]
    fn a_loop_of_three_iterations_keeps_them_and_one_of_four_is_in_blocks() {
        let strip = |first: i64, last: i64| {
            let domain = between(I, first, last);
            strips(&[form(0, &[(I, 8)])], &[&domain])[0]
        };
        assert_eq!(strip(5, 5), Strip::Few(5, 5));
        assert_eq!(strip(-1, 1), Strip::Few(-1, 1));
        assert_eq!(strip(0, 3), Strip::Blocks(8));
    }

    #[test]
    fn what_is_compared_with_a_blocked_iterator_is_in_blocks_too() {
        // i <= j
        let mut domain = between(I, 0, 99);
        let compared = form(0, &[(J, 1), (I, -1)]);
        domain.insert(Constraint::NotNegative(compared));
        let found = strips(&[form(0, &[(I, 8)])], &[&domain]);
        assert_eq!(found, [Strip::Blocks(8); 2]);
        // i <= 2·j: half as many
        let mut domain = between(I, 0, 99);
        let compared = form(0, &[(J, 2), (I, -1)]);
        domain.insert(Constraint::NotNegative(compared));
        let found = strips(&[form(0, &[(I, 8)])], &[&domain]);
        assert_eq!(found, [Strip::Blocks(8), Strip::Blocks(4)]);
    }

    #[test]
    fn walks_in_different_steps_are_in_blocks_that_fit_each_other() {
        // a[3 * i] and a[j]: blocks of 8·3 elements, that is of three lines.
        let domain = [between(I, 0, 99), between(J, 0, 299)];
        let domains: Vec<&Conjunction> = domain.iter().collect();
        let walks = [form(0, &[(I, 24)]), form(0, &[(J, 8)])];
        assert_eq!(
            strips(&walks, &domains),
            [Strip::Blocks(8), Strip::Blocks(24)]
        );
        let alike = [form(0, &[(I, 8)]), form(16, &[(J, 8)])];
        assert_eq!(strips(&alike, &domains), [Strip::Blocks(8); 2]);
    }
}
