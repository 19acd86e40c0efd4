//! Sums of products with integer coefficients: what all sparse polynomials here are made of.
//!
//! Terms are *collected* when they rise in their products, each product occurs once, and no coefficient is zero; equal
//! polynomials then have equal terms.

use crate::{Overflow, add, multiply};

/// A product of variables, in some packing.
pub trait Product: Copy + Ord {
    /// The product of both.
    ///
    /// # Errors
    /// It does not fit the packing.
    fn checked_times(self, other: Self) -> Result<Self, Overflow>;
}

/// The same sum with collected terms.
///
/// # Errors
/// The sum of the coefficients of a product does not fit.
#[inline]
pub fn collect_terms<M: Product>(mut terms: Vec<(M, i128)>) -> Result<Vec<(M, i128)>, Overflow> {
    terms.sort_unstable_by_key(|term| term.0);
    let mut n_collected = 0;
    for idx in 0..terms.len() {
        let (product, coefficient) = terms[idx];
        if 0 < n_collected && terms[n_collected - 1].0 == product {
            terms[n_collected - 1].1 = add(terms[n_collected - 1].1, coefficient)?;
        } else {
            terms[n_collected] = (product, coefficient);
            n_collected += 1;
        }
    }
    terms.truncate(n_collected);
    terms.retain(|term| term.1 != 0);
    Ok(terms)
}

/// The product of two sums, not collected.
///
/// # Errors
/// A coefficient or a product does not fit.
#[inline]
pub fn multiply_terms<M: Product>(
    a: &[(M, i128)],
    b: &[(M, i128)],
) -> Result<Vec<(M, i128)>, Overflow> {
    let mut result = Vec::with_capacity(a.len() * b.len());
    for (left, x) in a {
        for (right, y) in b {
            result.push((left.checked_times(*right)?, multiply(*x, *y)?));
        }
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Column, Exponents, Monomial};

    #[test]
    fn both_packings_of_a_product_have_the_same_square() {
        // (x - y)² = x² - 2xy + y²
        let exponents = [(0, 1), (1, -1)].map(|(axis, coefficient)| {
            let product = Exponents::default().times(axis, 1);
            (product.expect("few axes"), coefficient)
        });
        let factors = [(1, 1), (2, -1)].map(|(column, coefficient)| {
            (
                Monomial::variable(Column::new(column)).expect("a small column"),
                coefficient,
            )
        });
        let square = multiply_terms(&exponents, &exponents).and_then(collect_terms);
        let coefficients = square.expect("fits").into_iter().map(|term| term.1);
        assert_eq!(coefficients.collect::<Vec<_>>(), [1, -2, 1]);
        let square = multiply_terms(&factors, &factors).and_then(collect_terms);
        let coefficients = square.expect("fits").into_iter().map(|term| term.1);
        assert_eq!(coefficients.collect::<Vec<_>>(), [1, -2, 1]);
    }

    #[test]
    fn terms_that_cancel_are_dropped() {
        let x = Monomial::variable(Column::new(1)).expect("a small column");
        let terms = vec![(x, 2), (Monomial::ONE, 5), (x, -2)];
        assert_eq!(collect_terms(terms), Ok(vec![(Monomial::ONE, 5)]));
        let large = vec![(x, i128::MAX), (x, 1)];
        assert_eq!(collect_terms(large), Err(Overflow));
    }
}
