//! Conditions on sizes under which something never happens.
//!
//! Of rows of `m` elements, `a[i][j]` with `0 <= j < n` leaves its row where `m <= j`. Some `j` does so only if
//! `m <= n - 1`. So none does if `n <= m`, and what follows from that holds for all sizes with `n <= m`. The same way,
//! `a[i][7]` stays in its row if `8 <= m`.
//!
//! A condition is worth nothing if the access never happens either (`n <= 0`), or if it leaves small sizes only: so all
//! sizes must be able to be as large as [`Scale`] says at once, except those that are smaller anyway.

use crate::condition::{Conjunction, Constraint, is_of_sizes, linear_system, may_all_be};
use crate::polynomial::{Polynomial, Symbol};
use crate::reject::Obstacle;
use premiss_presburger::Affine;
use std::collections::BTreeSet;

/// How large all sizes must be able to be under a condition, while what it is about still happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scale {
    /// As large as one likes: no condition bounds a size.
    Any,
    /// As large as an array of fixed length allows.
    Few,
}

impl Scale {
    /// What the column of each size must be able to be.
    fn least(self) -> i64 {
        match self {
            Self::Any => 1 << 14,
            Self::Few => 2,
        }
    }
}

/// A condition on sizes under which `violation` is negative wherever `domain` holds; `None` where there is no single one.
pub(crate) fn preventing(
    domain: &Conjunction,
    violation: &Polynomial,
    scale: Scale,
) -> Result<Option<Constraint>, Obstacle> {
    let violated = Constraint::NotNegative(violation.clone());
    let (products, system) = linear_system(domain.iter().chain([&violated]));
    let n_sizes = products.iter().take_while(|x| is_of_sizes(x)).count();
    let Ok(implied) = system.shadow(n_sizes) else {
        return Ok(None);
    };
    for form in implied {
        let Some(form) = polynomial(&form, &products)? else {
            continue;
        };
        let condition = Constraint::NotNegative(form.scaled(-1)?.plus_constant(-1)?);
        if is_worth_it(domain, &condition, scale)? {
            return Ok(Some(condition));
        }
    }
    Ok(None)
}

/// Whether what happens in a domain still does under a condition, for sizes of a scale.
fn is_worth_it(
    domain: &Conjunction,
    condition: &Constraint,
    scale: Scale,
) -> Result<bool, Obstacle> {
    let all = domain.iter().chain([condition]);
    let terms = all.clone().flat_map(|x| x.polynomial().terms());
    let sizes: BTreeSet<Symbol> = terms
        .filter_map(|(product, _)| of_one_size(product))
        .collect();
    let mut large = Conjunction::new();
    for size in sizes {
        let excess = Polynomial::symbol(size).plus_constant(-scale.least())?;
        let excess = Constraint::NotNegative(excess);
        if may_all_be(domain.iter().chain([&excess])) {
            large.insert(excess);
        }
    }
    Ok(may_all_be(all.chain(&large)))
}

fn of_one_size(product: &[Symbol]) -> Option<Symbol> {
    match product {
        [size @ Symbol::Size(_)] => Some(*size),
        _ => None,
    }
}

/// Adds a condition, unless another one with the same terms is at least as strong.
pub(crate) fn require(required: &mut Conjunction, condition: Constraint) -> Result<(), Obstacle> {
    let mut weaker = Vec::new();
    for known in required.iter() {
        let difference = known.polynomial().plus(-1, condition.polynomial())?;
        match (known, difference.as_constant()) {
            (Constraint::NotNegative(_), Some(1..)) => weaker.push(known.clone()),
            (Constraint::NotNegative(_), Some(_)) => return Ok(()),
            _ => {}
        }
    }
    for known in weaker {
        required.remove(&known);
    }
    required.insert(condition);
    Ok(())
}

/// A form over products as a polynomial; `None` where a product is none of one size.
fn polynomial(form: &Affine, products: &[&[Symbol]]) -> Result<Option<Polynomial>, Obstacle> {
    let mut sum = Polynomial::constant(form.constant_term());
    for column in form.support() {
        let Some(size) = of_one_size(products[column.place()]) else {
            return Ok(None);
        };
        sum = sum.plus(form.coefficient(column), &Polynomial::symbol(size))?;
    }
    Ok(Some(sum))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_forms::{between, form};

    const J: Symbol = Symbol::Iterator(0);
    const M: Symbol = Symbol::Size(0);
    const N: Symbol = Symbol::Size(1);

    /// `0 <= j < n`
    fn loop_to_n() -> Conjunction {
        [form(0, &[(J, 1)]), form(-1, &[(N, 1), (J, -1)])]
            .map(Constraint::NotNegative)
            .into()
    }

    fn found(domain: &Conjunction, violation: &Polynomial, scale: Scale) -> Option<Polynomial> {
        let found = preventing(domain, violation, scale).expect("it is small");
        found.map(|condition| condition.polynomial().clone())
    }

    #[test]
    fn a_row_must_hold_what_the_loop_or_a_number_asks_for() {
        // m <= j for no j below n: n <= m.
        let beyond = form(0, &[(J, 1), (M, -1)]);
        let condition = found(&loop_to_n(), &beyond, Scale::Any);
        assert_eq!(condition, Some(form(0, &[(M, 1), (N, -1)])));
        // 8·m <= 63 never: 8 <= m.
        let beyond = form(63, &[(M, -8)]);
        let condition = found(&Conjunction::new(), &beyond, Scale::Any);
        assert_eq!(condition, Some(form(-8, &[(M, 1)])));
    }

    #[test]
    fn conditions_without_iterations_or_large_sizes_are_none() {
        // j + 1 = n happens for each n but 0.
        let last = form(1, &[(J, 1), (N, -1)]);
        assert_eq!(found(&loop_to_n(), &last, Scale::Any), None);
        // j is beyond 100 elements: n <= 100.
        let beyond = form(-100, &[(J, 1)]);
        assert_eq!(found(&loop_to_n(), &beyond, Scale::Any), None);
        let condition = found(&loop_to_n(), &beyond, Scale::Few);
        assert_eq!(condition, Some(form(100, &[(N, -1)])));
        assert_eq!(
            found(&between(J, 0, 9), &form(0, &[(J, 1)]), Scale::Few),
            None
        );
    }

    #[test]
    fn the_strongest_condition_stays() {
        let mut required = Conjunction::new();
        for least in [3, 8, 5, 8] {
            let condition = Constraint::NotNegative(form(-least, &[(N, 1)]));
            require(&mut required, condition).expect("it is small");
        }
        let strongest = Constraint::NotNegative(form(-8, &[(N, 1)]));
        assert_eq!(required, Conjunction::from([strongest]));
    }
}
