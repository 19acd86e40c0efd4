//! Polynomials with integer coefficients in sizes, iterators and floors.

use crate::reject::Obstacle;
use premiss_tree::VariableId;
use std::collections::BTreeMap;

/// A product of polynomials has no more terms than this: `(a + b)(c + d)...` has twice as many with each factor.
const MOST_TERMS: usize = 1024;

/// A term is a product of no more symbols than this.
const MOST_SYMBOLS: usize = 64;

/// A variable of a polynomial.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Symbol {
    /// The `x` of a symbolic size, by its index among the scop's parameters.
    Size(usize),
    /// The variable of a loop, by its number.
    Iterator(usize),
    /// A floor, by its index in the table of floors.
    Floor(usize),
    /// What a variable holds at the head of the loop under examination.
    Carried(VariableId),
    /// A number that nobody knows: where it is not negative, data have decided for what is only possible.
    Chance,
}

/// A sum of products of symbols.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Polynomial(BTreeMap<Vec<Symbol>, i64>);

impl Polynomial {
    pub(crate) fn constant(value: i64) -> Self {
        Self::default().with(Vec::new(), value)
    }

    pub(crate) fn symbol(symbol: Symbol) -> Self {
        Self::default().with(vec![symbol], 1)
    }

    fn with(mut self, product: Vec<Symbol>, coefficient: i64) -> Self {
        if coefficient != 0 {
            self.0.insert(product, coefficient);
        }
        self
    }

    /// `self + factor·other`.
    pub(crate) fn plus(&self, factor: i64, other: &Self) -> Result<Self, Obstacle> {
        let mut sum = self.0.clone();
        for (product, coefficient) in &other.0 {
            let added = coefficient.checked_mul(factor).ok_or(Obstacle::Overflow)?;
            let entry = sum.entry(product.clone()).or_insert(0);
            *entry = entry.checked_add(added).ok_or(Obstacle::Overflow)?;
        }
        sum.retain(|_, coefficient| *coefficient != 0);
        Ok(Self(sum))
    }

    pub(crate) fn plus_constant(&self, value: i64) -> Result<Self, Obstacle> {
        self.plus(value, &Self::constant(1))
    }

    /// The product of both.
    ///
    /// # Errors
    ///
    /// Besides coefficients that do not fit: more terms than [`MOST_TERMS`], or more symbols in a term than
    /// [`MOST_SYMBOLS`].
    pub(crate) fn times(&self, other: &Self) -> Result<Self, Obstacle> {
        if MOST_SYMBOLS < self.degree() + other.degree() {
            return Err(Obstacle::Symbols(MOST_SYMBOLS));
        }
        let mut product = Self::default();
        for (right, coefficient) in &other.0 {
            let mut shifted = Self::default();
            for (left, own) in &self.0 {
                let mut symbols: Vec<Symbol> = left.iter().chain(right).copied().collect();
                symbols.sort_unstable();
                shifted.0.insert(symbols, *own);
            }
            product = product.plus(*coefficient, &shifted)?;
            if MOST_TERMS < product.0.len() {
                return Err(Obstacle::Terms(MOST_TERMS));
            }
        }
        Ok(product)
    }

    pub(crate) fn scaled(&self, factor: i64) -> Result<Self, Obstacle> {
        Self::default().plus(factor, self)
    }

    /// The value, where no symbol decides it.
    pub(crate) fn as_constant(&self) -> Option<i64> {
        let is_constant = self.0.keys().all(Vec::is_empty);
        is_constant.then(|| self.constant_term())
    }

    pub(crate) fn constant_term(&self) -> i64 {
        self.0.get(&Vec::new()).copied().unwrap_or(0)
    }

    /// The products with their coefficients; the constant has the empty product.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (&[Symbol], i64)> {
        self.0.iter().map(|(product, c)| (product.as_slice(), *c))
    }

    /// Products of at most one symbol.
    pub(crate) fn is_affine(&self) -> bool {
        self.0.keys().all(|product| product.len() <= 1)
    }

    /// The most symbols in a product.
    pub(crate) fn degree(&self) -> usize {
        self.0.keys().map(Vec::len).max().unwrap_or(0)
    }

    pub(crate) fn mentions(&self, mut predicate: impl FnMut(Symbol) -> bool) -> bool {
        self.0.keys().flatten().any(|symbol| predicate(*symbol))
    }

    /// The coefficient of the product of the greatest degree, the last among those.
    fn leading(&self) -> Option<(&Vec<Symbol>, i64)> {
        let by_degree = |(product, _): &(&Vec<Symbol>, &i64)| product.len();
        self.0.iter().max_by_key(by_degree).map(|(p, c)| (p, *c))
    }

    /// Quotient and remainder by a polynomial in sizes: terms that are multiples of the divisor's leading term go into
    /// the quotient. Coefficients are divided towards zero.
    pub(crate) fn divided(&self, divisor: &Self) -> Result<(Self, Self), Obstacle> {
        let Some((leading, coefficient)) = divisor.leading() else {
            return Ok((Self::default(), self.clone()));
        };
        let mut quotient = Self::default();
        let mut rest = self.clone();
        let products: Vec<Vec<Symbol>> = self.0.keys().cloned().collect();
        // Products of the greatest degree come first: what is subtracted for one of them has lower degrees besides.
        let mut open = products;
        while let Some(idx) = (0..open.len()).max_by_key(|idx| open[*idx].len()) {
            let product = open.swap_remove(idx);
            let own = rest.0.get(&product).copied().unwrap_or(0);
            let Some(others) = without(&product, leading) else {
                continue;
            };
            let factor = own.checked_div(coefficient).ok_or(Obstacle::Overflow)?;
            if factor == 0 {
                continue;
            }
            let part = Self::default().with(others, factor);
            let taken = part.times(divisor)?;
            for product in taken.0.keys() {
                if product.len() < leading.len() + part.degree() && !open.contains(product) {
                    open.push(product.clone());
                }
            }
            rest = rest.plus(-1, &taken)?;
            quotient = quotient.plus(1, &part)?;
        }
        Ok((quotient, rest))
    }

    /// The polynomial by its products of symbols that are no sizes, each with its coefficient, a polynomial in sizes.
    pub(crate) fn coefficients(&self) -> BTreeMap<Vec<Symbol>, Self> {
        let mut found: BTreeMap<Vec<Symbol>, Self> = BTreeMap::new();
        for (product, coefficient) in &self.0 {
            let is_size = |symbol: &Symbol| matches!(symbol, Symbol::Size(_));
            let (sizes, others) = product.iter().copied().partition::<Vec<_>, _>(is_size);
            found
                .entry(others)
                .or_default()
                .0
                .insert(sizes, *coefficient);
        }
        found
    }
}

/// A product without the symbols of another one that it contains.
fn without(product: &[Symbol], part: &[Symbol]) -> Option<Vec<Symbol>> {
    let mut rest = product.to_vec();
    for symbol in part {
        let idx = rest.iter().position(|other| other == symbol)?;
        rest.remove(idx);
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x() -> Polynomial {
        Polynomial::symbol(Symbol::Size(0))
    }

    fn iterator(number: usize) -> Polynomial {
        Polynomial::symbol(Symbol::Iterator(number))
    }

    #[test]
    fn rows_of_symbolic_length_divide_offsets() {
        // 8·(8x + 3)·(i - 1) + 8·j
        let stride = x().scaled(64).and_then(|x| x.plus_constant(24));
        let stride = stride.expect("fits");
        let row = iterator(0).plus_constant(-1).expect("fits");
        let column = iterator(1).scaled(8).expect("fits");
        let offset = stride.times(&row).and_then(|x| x.plus(1, &column));
        let divided = offset.expect("fits").divided(&stride);
        assert_eq!(divided, Ok((row, column)));
    }

    #[test]
    fn numbers_are_divided_towards_zero() {
        let offset = iterator(0).scaled(4008).and_then(|x| x.plus_constant(-8));
        let divided = offset.expect("fits").divided(&Polynomial::constant(4000));
        let rest = iterator(0).scaled(8).and_then(|x| x.plus_constant(-8));
        assert_eq!(divided, Ok((iterator(0), rest.expect("fits"))));
    }

    #[test]
    fn products_have_so_many_terms() {
        let factor = |idx: usize| {
            let [one, other] = [2 * idx, 2 * idx + 1].map(|x| Polynomial::symbol(Symbol::Size(x)));
            one.plus(1, &other)
        };
        let product = |n_factors: usize| {
            (0..n_factors).try_fold(Polynomial::constant(1), |all, idx| all.times(&factor(idx)?))
        };
        // 2^10 is the limit.
        assert_eq!(product(10).map(|all| all.terms().count()), Ok(MOST_TERMS));
        assert_eq!(product(11), Err(Obstacle::Terms(MOST_TERMS)));
    }

    #[test]
    fn terms_have_so_many_symbols() {
        let squared = |times: usize| (0..times).try_fold(x(), |power, _| power.times(&power));
        assert_eq!(squared(6).map(|power| power.degree()), Ok(MOST_SYMBOLS));
        assert_eq!(squared(7), Err(Obstacle::Symbols(MOST_SYMBOLS)));
    }

    #[test]
    fn nothing_is_divided_by_nothing() {
        let offset = iterator(0);
        let divided = offset.divided(&Polynomial::default());
        assert_eq!(divided, Ok((Polynomial::default(), offset)));
    }
}
