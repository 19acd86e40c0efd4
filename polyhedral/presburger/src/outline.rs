//! What is seen of constraints at a glance.

use crate::rows::{RowMatrix, tighten};

/// Constraints side by side, each in lowest terms and with a hash.
#[derive(Clone)]
pub(crate) struct Outline {
    /// `0 <= row` for each.
    rows: RowMatrix,
    /// A number for the coefficients of each row, the negative one for opposite coefficients.
    keys: Vec<i64>,
    /// The marks of all keys.
    marks: u128,
}

impl Outline {
    /// No constraints, over so many columns.
    pub(crate) fn new(width: usize) -> Self {
        Self {
            rows: RowMatrix::new(width),
            keys: Vec::new(),
            marks: 0,
        }
    }

    /// Adds `0 <= row`.
    pub(crate) fn push(&mut self, row: &[i64]) {
        self.rows.push(row);
        let own = self.rows.last_mut();
        tighten(own);
        let key = key(own);
        self.keys.push(key);
        self.marks |= mark(key);
    }

    /// Whether one constraint implies `0 <= row`, as `4 <= x` implies `6 <= 2·x`.
    pub(crate) fn implies(&self, row: &[i64]) -> bool {
        let mut row = row.to_vec();
        tighten(&mut row);
        let key = key(&row);
        if self.marks & mark(key) == 0 {
            return false;
        }
        let implies = |own: &[i64]| own[0] <= row[0] && own[1..] == row[1..];
        let mut own = self.keys.iter().zip(self.rows.iter());
        own.any(|(own_key, own)| *own_key == key && implies(own))
    }

    /// Whether two constraints of both contradict each other, such as `x <= 3` and `4 <= x`.
    /// If not, the systems may have points in common or not.
    pub(crate) fn is_apart_from(&self, other: &Self) -> bool {
        let shared = self.marks & other.marks;
        let own = self.keys.iter().enumerate();
        let mut own = own.filter(|(_, key)| shared & mark(**key) != 0);
        own.any(|(index, key)| {
            let mut others = other.keys.iter().enumerate();
            let row = self.rows.row(index);
            others.any(|(place, other_key)| {
                *other_key == key.wrapping_neg() && contradict(row, other.rows.row(place))
            })
        })
    }
}

/// One of 128 bits, the same one for opposite keys.
fn mark(key: i64) -> u128 {
    let size = key.unsigned_abs();
    1 << ((size >> 57) ^ ((size >> 3) & 127))
}

/// Whether `0 <= row` and `0 <= other` have opposite coefficients and contradict each other.
pub(crate) fn contradict(row: &[i64], other: &[i64]) -> bool {
    let mut pairs = row[1..].iter().zip(&other[1..]);
    i128::from(row[0]) + i128::from(other[0]) < 0
        && pairs.all(|(x, y)| i128::from(*x) + i128::from(*y) == 0)
}

/// A hash of a row's coefficients, the constant left out, that changes its sign with theirs.
pub(crate) fn key(row: &[i64]) -> i64 {
    let columns = row[1..].chunks(WEIGHTS.len());
    let terms = columns.flat_map(|columns| columns.iter().zip(&WEIGHTS));
    terms.fold(0, |sum: i64, (coefficient, weight)| {
        sum.wrapping_add(coefficient.wrapping_mul(*weight))
    })
}

/// What columns count in a hash, the same again after so many.
const WEIGHTS: [i64; 32] = {
    let mut weights = [0; 32];
    let mut weight: i64 = 0x2545_F491_4F6C_DD1D;
    let mut index = 0;
    while index < weights.len() {
        weight = weight.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(12);
        weights[index] = weight;
        index += 1;
    }
    weights
};
