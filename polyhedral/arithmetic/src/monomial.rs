//! Products of numbered columns, as the sorted list of their factors.

use crate::Column;
use crate::Overflow;
use crate::terms::Product;

/// A product of at most sixteen columns, such as `x1·x1·x3`.
///
/// The factors are the bytes of a word in ascending order, the first one lowest: comparing words
/// compares degrees first, and multiplying is merging. [`Exponents`](crate::Exponents) is the other packing: of few
/// columns with high exponents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Monomial(u128);

const FACTORS: usize = 16;

impl Monomial {
    /// The empty product.
    pub const ONE: Self = Self(0);

    /// The product whose only factor is `column`.
    ///
    /// # Errors
    /// The column is beyond 255.
    ///
    /// # Panics
    /// `column` is 0, the constant column.
    #[inline]
    pub fn variable(column: Column) -> Result<Self, Overflow> {
        assert!(
            column != Column::CONSTANT,
            "the constant column is no variable"
        );
        let byte = u8::try_from(column.number()).map_err(|_| Overflow)?;
        Ok(Self(u128::from(byte)))
    }

    /// Its factors in ascending order as the bytes of a word, the first factor lowest.
    #[must_use]
    #[inline]
    pub fn to_word(self) -> u128 {
        self.0
    }

    /// The product of which [`Self::to_word`] makes this word, or `None` where no product has it.
    #[must_use]
    #[inline]
    pub fn from_word(word: u128) -> Option<Self> {
        let bytes = word.to_le_bytes();
        let used = bytes.iter().take_while(|byte| **byte != 0).count();
        let (factors, rest) = bytes.split_at(used);
        (factors.is_sorted() && rest.iter().all(|byte| *byte == 0)).then_some(Self(word))
    }

    /// How many factors it has, with repetition.
    #[must_use]
    #[inline]
    pub fn degree(self) -> usize {
        self.factors().count()
    }

    /// How often a column is a factor.
    #[must_use]
    #[inline]
    pub fn degree_in(self, column: Column) -> usize {
        self.factors().filter(|factor| *factor == column).count()
    }

    /// The factors with repetition, in ascending order.
    #[inline]
    pub fn factors(self) -> impl Iterator<Item = Column> {
        let bytes = self.0.to_le_bytes().into_iter();
        bytes
            .take_while(|byte| *byte != 0)
            .map(|byte| Column::new(usize::from(byte)))
    }

    /// The factors without repetition, in ascending order, each with its exponent.
    #[inline]
    pub fn powers(self) -> impl Iterator<Item = (Column, usize)> {
        let mut factors = self.factors().peekable();
        std::iter::from_fn(move || {
            let column = factors.next()?;
            let mut exponent = 1;
            while factors.next_if_eq(&column).is_some() {
                exponent += 1;
            }
            Some((column, exponent))
        })
    }

    /// The product of both.
    ///
    /// # Errors
    /// It has more than sixteen factors.
    #[inline]
    pub fn times(self, other: Self) -> Result<Self, Overflow> {
        if self.0 == 0 || other.0 == 0 {
            return Ok(Self(self.0 | other.0));
        }
        let (a, b) = (self.0.to_le_bytes(), other.0.to_le_bytes());
        let mut merged = [0; FACTORS];
        let (mut i, mut j) = (0, 0);
        for slot in &mut merged {
            let left = a.get(i).copied().unwrap_or(0);
            let right = b.get(j).copied().unwrap_or(0);
            if left == 0 && right == 0 {
                return Ok(Self(u128::from_le_bytes(merged)));
            }
            if right == 0 || (left != 0 && left <= right) {
                *slot = left;
                i += 1;
            } else {
                *slot = right;
                j += 1;
            }
        }
        let rest = a.get(i).copied().unwrap_or(0) | b.get(j).copied().unwrap_or(0);
        match rest {
            0 => Ok(Self(u128::from_le_bytes(merged))),
            _ => Err(Overflow),
        }
    }

    /// The product of its factors other than `column`.
    #[must_use]
    #[inline]
    pub fn without(self, column: Column) -> Self {
        let mut kept = [0; FACTORS];
        let others = self.0.to_le_bytes().into_iter();
        let others = others.filter(|byte| usize::from(*byte) != column.number());
        kept.iter_mut().zip(others).for_each(|(slot, x)| *slot = x);
        Self(u128::from_le_bytes(kept))
    }
}

impl Product for Monomial {
    #[inline]
    fn checked_times(self, other: Self) -> Result<Self, Overflow> {
        self.times(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn monomial(columns: &[usize]) -> Monomial {
        columns.iter().fold(Monomial::ONE, |product, column| {
            let factor = Monomial::variable(Column::new(*column)).expect("a small column");
            product.times(factor).expect("few factors")
        })
    }

    #[test]
    fn products_merge() {
        let product = monomial(&[3, 1])
            .times(monomial(&[2, 3]))
            .expect("few factors");
        assert_eq!(product, monomial(&[1, 2, 3, 3]));
        assert_eq!(
            product.powers().collect::<Vec<_>>(),
            [(1, 1), (2, 1), (3, 2)].map(|(column, power)| (Column::new(column), power))
        );
        assert_eq!(product.without(Column::new(3)), monomial(&[1, 2]));
        assert_eq!(
            (product.degree(), product.degree_in(Column::new(3))),
            (4, 2)
        );
        assert!(monomial(&[9]) < monomial(&[1, 1]), "by degree first");
    }

    #[test]
    fn words_of_other_things_are_no_products() {
        let product = monomial(&[1, 3, 3]);
        assert_eq!(Monomial::from_word(product.to_word()), Some(product));
        assert_eq!(Monomial::from_word(0), Some(Monomial::ONE));
        for word in [0x0100, 0x01_00_02, 0x01_02] {
            assert_eq!(Monomial::from_word(word), None, "{word:x}");
        }
    }

    #[test]
    fn sixteen_factors_fit() {
        let eight = monomial(&[7; 8]);
        let sixteen = eight.times(eight).expect("sixteen factors");
        assert_eq!(sixteen.degree(), 16);
        assert_eq!(sixteen.times(monomial(&[1])), Err(Overflow));
        assert_eq!(Monomial::variable(Column::new(256)), Err(Overflow));
    }
}
