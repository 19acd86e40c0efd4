//! The parts of closed forms that depend on the sizes alone, prepared for evaluation at many sizes.
//!
//! Pieces of a histogram are made of the same few floors and products of sizes. Each is a *quantity*,
//! computed once at given sizes; what pieces need of them are sums of quantities times integers.

use premiss_arithmetic::{add, multiply};
use premiss_presburger::{Affine, Refusal, System};
use std::collections::HashMap;

/// The number of a quantity: 0 is the constant one, then come the sizes, then what is computed from earlier quantities.
pub(crate) type QuantityId = u32;

/// The quantities of a form, and the sums of them that it needs.
#[derive(Debug)]
pub(crate) struct QuantityTable {
    parameters: usize,
    formulas: Vec<QuantityFormula>,
    ids: HashMap<QuantityFormula, QuantityId>,
    /// The terms of all sums, one sum after another.
    terms: Vec<(QuantityId, i64)>,
}

/// How a quantity is computed from earlier ones.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum QuantityFormula {
    Product(QuantityId, QuantityId),
    /// The quotient, rounded down, of a sum by a number.
    Floor(Vec<(QuantityId, i64)>, i64),
}

/// A sum of quantities times integers: where its terms begin and end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuantitySum(u32, u32);

impl QuantityTable {
    /// A table of `parameters` sizes, without other quantities.
    pub(crate) fn new(parameters: usize) -> Self {
        Self {
            parameters,
            formulas: Vec::new(),
            ids: HashMap::new(),
            terms: Vec::new(),
        }
    }

    /// For each column of a system its quantity, if it has one: sizes and their floors have, loop variables have not.
    pub(crate) fn names(&mut self, system: &System) -> Option<Vec<Option<QuantityId>>> {
        let mut names: Vec<Option<QuantityId>> = vec![None; system.columns()];
        for (number, name) in (0..).zip(&mut names[..=self.parameters]) {
            *name = Some(number);
        }
        for (index, floor) in system.floors.iter().enumerate() {
            if let Some(terms) = of_sizes(&floor.numerator, &names) {
                let floor = QuantityFormula::Floor(terms, floor.denominator);
                names[1 + system.variables + index] = Some(self.make(floor)?);
            }
        }
        Some(names)
    }

    /// The product of quantities.
    pub(crate) fn product(
        &mut self,
        factors: impl Iterator<Item = QuantityId>,
    ) -> Option<QuantityId> {
        let mut product = 0;
        for factor in factors {
            product = match product {
                0 => factor,
                _ => self.make(QuantityFormula::Product(product, factor))?,
            };
        }
        Some(product)
    }

    fn make(&mut self, made: QuantityFormula) -> Option<QuantityId> {
        if let Some(known) = self.ids.get(&made) {
            return Some(*known);
        }
        let number = QuantityId::try_from(1 + self.parameters + self.formulas.len()).ok()?;
        self.formulas.push(made.clone());
        self.ids.insert(made, number);
        Some(number)
    }

    /// A sum of some terms.
    pub(crate) fn sum(&mut self, terms: &[(QuantityId, i64)]) -> Option<QuantitySum> {
        let first = u32::try_from(self.terms.len()).ok()?;
        self.terms.extend_from_slice(terms);
        Some(QuantitySum(first, u32::try_from(self.terms.len()).ok()?))
    }

    /// All quantities at given sizes.
    ///
    /// # Errors
    /// A number does not fit.
    pub(crate) fn at(&self, sizes: &[i128]) -> Result<Quantities<'_>, Refusal> {
        assert_eq!(sizes.len(), self.parameters, "one value for each");
        let mut values = Vec::with_capacity(1 + self.parameters + self.formulas.len());
        values.push(1);
        values.extend_from_slice(sizes);
        for made in &self.formulas {
            let value = match made {
                QuantityFormula::Product(a, b) => {
                    multiply(values[*a as usize], values[*b as usize])?
                }
                QuantityFormula::Floor(terms, denominator) => {
                    added_up(terms, &values)?.div_euclid(i128::from(*denominator))
                }
            };
            values.push(value);
        }
        let narrow = values.iter().map(|value| i64::try_from(*value).ok());
        Ok(Quantities {
            terms: &self.terms,
            narrow: narrow.collect(),
            values,
        })
    }
}

/// The quantities of a form at given sizes.
pub(crate) struct Quantities<'a> {
    terms: &'a [(QuantityId, i64)],
    values: Vec<i128>,
    /// The same where all of them have 64 bits, as they mostly do.
    narrow: Option<Vec<i64>>,
}

impl Quantities<'_> {
    /// The value of a sum.
    ///
    /// # Errors
    /// A number does not fit.
    pub(crate) fn of(&self, sum: QuantitySum) -> Result<i128, Refusal> {
        let terms = &self.terms[sum.0 as usize..sum.1 as usize];
        let Some(narrow) = &self.narrow else {
            return added_up(terms, &self.values);
        };
        let mut sum: i128 = 0;
        for (quantity, factor) in terms {
            let term = i128::from(*factor) * i128::from(narrow[*quantity as usize]);
            sum = add(sum, term)?;
        }
        Ok(sum)
    }
}

fn added_up(terms: &[(QuantityId, i64)], values: &[i128]) -> Result<i128, Refusal> {
    let mut sum = 0;
    for (quantity, factor) in terms {
        sum = add(
            sum,
            multiply(i128::from(*factor), values[*quantity as usize])?,
        )?;
    }
    Ok(sum)
}

/// The terms of a form of sizes and their floors; `None` where it contains another column.
fn of_sizes(form: &Affine, names: &[Option<QuantityId>]) -> Option<Vec<(QuantityId, i64)>> {
    let columns = form.coefficients().iter().zip(names);
    let used = columns.filter(|(coefficient, _)| **coefficient != 0);
    used.map(|(coefficient, name)| Some(((*name)?, *coefficient)))
        .collect()
}
