//! The tables of constants that a function looks up.
//!
//! A load from an array of constants yields an entry of a [`Table`], at the index that the address corresponds to; the
//! load itself is an ordinary access:
//!
//! ```text
//! static const int dx[4] = { 1, 0, -1, 0 };
//! s += a[i + dx[k]];            load dx + 4 * k
//!                               load a + (8 * i + 8 * dx[k])
//! ```

use crate::domain::constant_image::{Image, TableLattice};
use crate::domain::integers::{plus, times};
use crate::domain::values::ArrayRow;
use premiss_arithmetic::gcd;
use premiss_tree::{BinaryOperator as Op, Expression, IntegerType, Table, TableId, UnaryOperator};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A row of the list of tables.
pub(crate) struct TableRow {
    pub(crate) table: Table,
    /// Its minimum entry.
    pub(crate) least: Option<i64>,
}

/// The constant tables that a function looks up.
#[derive(Default)]
pub(crate) struct ConstantTables {
    pub(crate) rows: Vec<TableRow>,
    pub(crate) ids: BTreeMap<(ArrayRow, TableLattice), TableId>,
    /// The constant arrays; `None` for those whose contents differ from call to call.
    pub(crate) images: BTreeMap<ArrayRow, Option<Rc<Image>>>,
}

impl ConstantTables {
    /// The minimum entry of a table.
    pub(crate) fn least_entry(&self, id: TableId) -> Option<i64> {
        self.rows[id.as_u32() as usize].least
    }
}

/// A linear combination of expressions.
#[derive(Default)]
pub(crate) struct LinearSum {
    pub(crate) constant: i64,
    pub(crate) terms: Vec<(i64, Expression)>,
}

impl LinearSum {
    /// Adds a multiple of an expression; `None` on overflow.
    pub(crate) fn add(&mut self, factor: i64, expression: &Expression) -> Option<()> {
        match expression {
            Expression::Integer(value) => {
                self.constant = self.constant.checked_add(factor.checked_mul(*value)?)?;
            }
            Expression::Unary(UnaryOperator::Negate, x) => self.add(factor.checked_neg()?, x)?,
            Expression::Binary(Op::Add, a, b) => {
                self.add(factor, a)?;
                self.add(factor, b)?;
            }
            Expression::Binary(Op::Subtract, a, b) => {
                self.add(factor, a)?;
                self.add(factor.checked_neg()?, b)?;
            }
            Expression::Binary(Op::Multiply, a, b) => match (a.as_integer(), b.as_integer()) {
                (Some(a), _) => self.add(factor.checked_mul(a)?, b)?,
                (_, Some(b)) => self.add(factor.checked_mul(b)?, a)?,
                _ => self.terms.push((factor, expression.clone())),
            },
            _ => self.terms.push((factor, expression.clone())),
        }
        Some(())
    }
}

/// An offset as a lattice and an index: `16 * i + 4 * j + 8` is the position with index `4 * i + j + 2` in the lattice
/// 0, 4, 8 and so on.
pub(crate) fn lattice_position(
    offset: &Expression,
    kind: IntegerType,
) -> Option<(TableLattice, Expression)> {
    let mut sum = LinearSum::default();
    sum.add(1, offset)?;
    let distance = sum.terms.iter().fold(0_u64, |common, (factor, _)| {
        gcd(common, factor.unsigned_abs())
    });
    let distance = i64::try_from(distance)
        .ok()
        .filter(|distance| 0 < *distance)?;
    let lattice = TableLattice {
        start: sum.constant.rem_euclid(distance),
        distance,
        kind,
    };
    let mut index = Expression::Integer(0);
    for (factor, term) in sum.terms {
        index = plus(index, times((factor / distance).into(), term));
    }
    let index = plus(index, sum.constant.div_euclid(distance).into());
    Some((lattice, index))
}
