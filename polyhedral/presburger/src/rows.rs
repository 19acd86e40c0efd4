//! Lists of affine forms in one allocation.

use crate::Refusal;
use premiss_arithmetic::gcd;

/// Affine forms of the same width one after another, the constant of each first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct RowMatrix {
    width: usize,
    data: Vec<i64>,
}

impl RowMatrix {
    pub(crate) fn new(width: usize) -> Self {
        assert!(0 < width, "the constant has a column");
        Self {
            width,
            data: Vec::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.data.len() / self.width
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &[i64]> + ExactSizeIterator {
        self.data.chunks_exact(self.width)
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut [i64]> {
        self.data.chunks_exact_mut(self.width)
    }

    pub(crate) fn row(&self, index: usize) -> &[i64] {
        &self.data[index * self.width..(index + 1) * self.width]
    }

    /// The form that was added last.
    pub(crate) fn last_mut(&mut self) -> &mut [i64] {
        let start = self.data.len() - self.width;
        &mut self.data[start..]
    }

    /// Adds a form of at most this width.
    pub(crate) fn push(&mut self, row: &[i64]) {
        let end = self.data.len() + self.width;
        self.data.extend_from_slice(row);
        self.data.resize(end, 0);
    }

    /// Removes a form; the last one takes its place.
    pub(crate) fn swap_remove(&mut self, index: usize) {
        let last = self.data.len() - self.width;
        let start = index * self.width;
        self.data.copy_within(last.., start);
        self.data.truncate(last);
    }

    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&[i64]) -> bool) {
        let mut index = 0;
        while index < self.len() {
            if keep(self.row(index)) {
                index += 1;
            } else {
                let start = index * self.width;
                self.data.drain(start..start + self.width);
            }
        }
    }

    /// The same forms with more columns, the new ones last.
    pub(crate) fn widened(&self, width: usize) -> Self {
        let mut wide = Self::new(width);
        self.iter().for_each(|row| wide.push(row));
        wide
    }

    /// In order, each form once.
    pub(crate) fn sorted(&self) -> Self {
        let mut rows: Vec<&[i64]> = self.iter().collect();
        rows.sort_unstable();
        rows.dedup();
        let mut sorted = Self::new(self.width);
        rows.iter().for_each(|row| sorted.push(row));
        sorted
    }
}

/// Whether no variable has a coefficient.
pub(crate) fn is_constant(row: &[i64]) -> bool {
    row[1..].iter().all(|coefficient| *coefficient == 0)
}

/// The greatest common divisor of the coefficients of variables; 0 where there are none.
pub(crate) fn content(row: &[i64]) -> i64 {
    let mut divisor = 0;
    for coefficient in &row[1..] {
        if *coefficient != 0 {
            divisor = gcd(divisor, coefficient.unsigned_abs());
            if divisor == 1 {
                break;
            }
        }
    }
    // Only a row of nothing but -2^63 has no divisor in range; it stays as it is.
    i64::try_from(divisor).unwrap_or(1)
}

/// Divides `0 <= row` by the content; integer points stay the same ones.
pub(crate) fn tighten(row: &mut [i64]) {
    let divisor = content(row);
    if 1 < divisor {
        row[0] = row[0].div_euclid(divisor);
        row[1..].iter_mut().for_each(|x| *x /= divisor);
    }
}

/// `-row`.
pub(crate) fn opposite(row: &[i64]) -> Result<Vec<i64>, Refusal> {
    let mut negative = row.to_vec();
    for x in &mut negative {
        *x = x.checked_neg().ok_or(Refusal::Overflow)?;
    }
    Ok(negative)
}

/// Whether the coefficients of variables are those of the other row with the sign changed.
pub(crate) fn is_opposite(row: &[i64], other: &[i64]) -> bool {
    let mut pairs = row[1..].iter().zip(&other[1..]);
    pairs.all(|(x, y)| x.checked_add(*y) == Some(0))
}

/// `row += factor · other`, `other` no longer than `row`.
pub(crate) fn add(row: &mut [i64], factor: i64, other: &[i64]) -> Result<(), Refusal> {
    if factor == 0 {
        return Ok(());
    }
    for (x, y) in row.iter_mut().zip(other) {
        let sum = y.checked_mul(factor).and_then(|term| x.checked_add(term));
        *x = sum.ok_or(Refusal::Overflow)?;
    }
    Ok(())
}
