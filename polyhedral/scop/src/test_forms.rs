//! Polynomials for tests, and their values.

use crate::condition::{Conjunction, Constraint};
use crate::evaluate::FloorOf;
use crate::polynomial::{Polynomial, Symbol};

/// The sum of a constant and of multiples of symbols.
pub(crate) fn form(constant: i64, terms: &[(Symbol, i64)]) -> Polynomial {
    let mut sum = Polynomial::constant(constant);
    for (symbol, coefficient) in terms {
        let term = Polynomial::symbol(*symbol);
        sum = sum.plus(*coefficient, &term).expect("it is small");
    }
    sum
}

/// The constraints `first <= symbol <= last`.
pub(crate) fn between(symbol: Symbol, first: i64, last: i64) -> Conjunction {
    let lower = form(-first, &[(symbol, 1)]);
    let upper = form(last, &[(symbol, -1)]);
    Conjunction::from([lower, upper].map(Constraint::NotNegative))
}

/// Values of iterators and sizes, and what floors stand for.
#[derive(Clone, Copy)]
pub(crate) struct Point<'p> {
    pub(crate) iterators: &'p [i64],
    pub(crate) sizes: &'p [i64],
    pub(crate) floors: &'p [FloorOf],
}

impl Point<'_> {
    pub(crate) fn value(self, of: &Polynomial) -> i64 {
        let symbol = |symbol: &Symbol| match symbol {
            Symbol::Size(number) => self.sizes[*number],
            Symbol::Iterator(number) => self.iterators[*number],
            Symbol::Floor(number) => {
                let floor = &self.floors[*number];
                self.value(&floor.numerator).div_euclid(floor.denominator)
            }
            Symbol::Carried(_) => unreachable!("tests carry no variables"),
            Symbol::Chance => unreachable!("tests decide everything"),
        };
        let term = |(product, c): (&[Symbol], i64)| c * product.iter().map(symbol).product::<i64>();
        of.terms().map(term).sum()
    }

    pub(crate) fn satisfies(self, all: &Conjunction) -> bool {
        all.iter().all(|constraint| match constraint {
            Constraint::Zero(x) => self.value(x) == 0,
            Constraint::NotNegative(x) => 0 <= self.value(x),
        })
    }
}
