//! Changes of where arrays lie: longer rows, and starts that are moved.
//!
//! Padding within an array makes its rows a few lines longer, padding between arrays moves the start of one (Rivera and Tseng,
//! *Data transformations for eliminating conflict misses*, 1998). The arrays behind are placed anew, by the rule for all arrays.

use premiss_formulas::{Explanation, LineLayout, RowPadding};
use premiss_trace::Execution;
use premiss_tree::{ArrayId, EntityRef, Expression, NestTree, SecondaryMap};
use std::collections::BTreeMap;

/// A change of where one array lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LayoutChange {
    /// Its rows, of so many elements, have more.
    Rows {
        /// The array.
        array: ArrayId,
        /// The elements that a row has.
        elements: u64,
        /// The elements that it has then.
        padded: u64,
    },
    /// It starts later by some lines.
    Start {
        /// The array.
        array: ArrayId,
        /// How many bytes these are.
        bytes: u64,
    },
}

/// The arrays of a function in memory.
#[derive(Debug)]
pub(crate) struct ArraysInMemory {
    line_size: u64,
    /// What arrays start at multiples of, in bytes.
    alignment: u64,
    /// In the order of their addresses.
    arrays: Vec<ArrayInMemory>,
}

#[derive(Clone, Copy, Debug)]
struct ArrayInMemory {
    id: ArrayId,
    /// The address of its first byte.
    base: u64,
    /// How many lines it has.
    lines: u64,
    rows: Option<Rows>,
}

/// Rows of whole lines, to which no access is beyond the end.
#[derive(Clone, Copy, Debug)]
struct Rows {
    lines: u64,
    element_size: u64,
}

impl ArraysInMemory {
    /// The arrays as an execution places them; `None` where they do not follow each other by the rule.
    pub(crate) fn of(
        tree: &NestTree,
        explanation: &Explanation,
        execution: &Execution<'_>,
        alignment: u64,
    ) -> Option<Self> {
        let line_size = explanation.scop.line_size;
        let ranges = execution.line_ranges(line_size)?;
        let of_one = |id: ArrayId| {
            let (first, last) = *ranges.get(id.index())?;
            let base = execution.bases()[id];
            (base == first.checked_mul(line_size)?).then_some(ArrayInMemory {
                id,
                base,
                lines: last - first + 1,
                rows: rows(tree, explanation, id),
            })
        };
        let mut arrays: Vec<ArrayInMemory> =
            tree.arrays.keys().map(of_one).collect::<Option<_>>()?;
        arrays.sort_by_key(|array| array.base);
        let memory = Self {
            line_size,
            alignment,
            arrays,
        };
        let placed = memory.changed(&[])?;
        let mut arrays = memory.arrays.iter();
        arrays
            .all(|array| placed.bases[array.id] == array.base)
            .then_some(memory)
    }

    /// The changes of single arrays that are tried for a cache of so many sets, by 1, 2, 3, 4, 6, 8, 12 … lines: those of
    /// rows, then those of starts.
    pub(crate) fn candidates(&self, sets: u64) -> Vec<LayoutChange> {
        let paddings = paddings(sets);
        let rows = paddings.iter().flat_map(|lines| {
            let arrays = self.arrays.iter();
            arrays.filter_map(|array| self.longer_rows(array, *lines))
        });
        // Where the first array starts, all others follow: only what lies between two arrays matters.
        let starts = paddings.iter().flat_map(|lines| {
            let arrays = self.arrays.iter().skip(1);
            arrays.map(|array| LayoutChange::Start {
                array: array.id,
                bytes: *lines * self.line_size,
            })
        });
        rows.chain(starts).collect()
    }

    fn longer_rows(&self, array: &ArrayInMemory, lines: u64) -> Option<LayoutChange> {
        let Rows {
            lines: own,
            element_size,
        } = array.rows?;
        let is_made_of = (lines * self.line_size).is_multiple_of(element_size);
        is_made_of.then(|| LayoutChange::Rows {
            array: array.id,
            elements: own * self.line_size / element_size,
            padded: (own + lines) * self.line_size / element_size,
        })
    }

    /// Where the lines of all arrays lie after some changes; `None` where they do not fit.
    pub(crate) fn changed(&self, changes: &[LayoutChange]) -> Option<LineLayout> {
        let mut layout = LineLayout {
            bases: SecondaryMap::new(),
            padded: BTreeMap::new(),
        };
        let mut next = self.arrays.first().map_or(0, |array| array.base);
        for array in &self.arrays {
            let mut start = next.checked_next_multiple_of(self.alignment)?;
            let mut lines = array.lines;
            for change in changes {
                match *change {
                    LayoutChange::Start { array: id, bytes } if id == array.id => {
                        start = start.checked_add(bytes)?;
                    }
                    LayoutChange::Rows {
                        array: id, padded, ..
                    } if id == array.id => {
                        let rows = array.rows?;
                        let added = padded * rows.element_size / self.line_size - rows.lines;
                        lines =
                            lines.checked_add((array.lines / rows.lines).checked_mul(added)?)?;
                        let padding = RowPadding {
                            lines: rows.lines,
                            added,
                        };
                        layout.padded.insert(id, padding);
                    }
                    _ => {}
                }
            }
            layout.bases[array.id] = start;
            next = start.checked_add(lines.checked_mul(self.line_size)?)?;
        }
        Some(layout)
    }
}

impl LayoutChange {
    /// The array that is changed.
    #[must_use]
    pub fn array(self) -> ArrayId {
        match self {
            Self::Rows { array, .. } | Self::Start { array, .. } => array,
        }
    }
}

/// Powers of two and one and a half times these, up to half of a period: more than half of it is less than that, backwards.
fn paddings(sets: u64) -> Vec<u64> {
    let mut all = Vec::new();
    let mut power = 1;
    while power <= sets / 2 {
        all.push(power);
        let more = power + power / 2;
        if 1 < power && more <= sets / 2 {
            all.push(more);
        }
        power *= 2;
    }
    all
}

/// The rows of an array as it is declared, where these can be longer.
fn rows(tree: &NestTree, explanation: &Explanation, array: ArrayId) -> Option<Rows> {
    let [.., row, element] = &tree.arrays[array].strides[..] else {
        return None;
    };
    let bytes = |expression: &Expression| u64::try_from(value(tree, expression)?).ok();
    let (row, element_size) = (bytes(row)?, bytes(element).filter(|size| 0 < *size)?);
    let line_size = explanation.scop.line_size;
    let is_made_of = row.is_multiple_of(line_size) && row.is_multiple_of(element_size);
    let lines = is_made_of.then_some(row / line_size)?;
    explanation.has_rows(array, lines).then_some(Rows {
        lines,
        element_size,
    })
}

/// The value of an expression of sizes that have values.
fn value(tree: &NestTree, expression: &Expression) -> Option<i64> {
    match expression {
        Expression::Integer(value) => Some(*value),
        Expression::Parameter(id) => tree.parameters[*id].value,
        Expression::Unary(operator, operand) => operator.apply(value(tree, operand)?),
        Expression::Binary(operator, left, right) => {
            operator.apply(value(tree, left)?, value(tree, right)?)
        }
        Expression::Wrap(kind, operand) => Some(kind.wrap(value(tree, operand)?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_matrices() -> ArraysInMemory {
        let array = |idx: usize, base: u64| ArrayInMemory {
            id: ArrayId::new(idx),
            base,
            lines: 512,
            rows: Some(Rows {
                lines: 8,
                element_size: 8,
            }),
        };
        ArraysInMemory {
            line_size: 64,
            alignment: 4096,
            arrays: vec![array(0, 4096), array(1, 4096 + 512 * 64)],
        }
    }

    #[test]
    fn arrays_behind_are_placed_anew() {
        let memory = two_matrices();
        let bases = |changes: &[LayoutChange]| {
            let layout = memory.changed(changes).expect("they fit");
            [0, 1].map(|idx| layout.bases[ArrayId::new(idx)])
        };
        assert_eq!(bases(&[]), [4096, 4096 + 512 * 64]);
        let array = ArrayId::new(0);
        // 64 rows of nine lines are nine pages.
        let rows = LayoutChange::Rows {
            array,
            elements: 64,
            padded: 72,
        };
        assert_eq!(bases(&[rows]), [4096, 4096 * 10]);
        // A line more than eight pages reaches into the next one.
        let start = LayoutChange::Start { array, bytes: 64 };
        assert_eq!(bases(&[start]), [4096 + 64, 4096 * 10]);
        let array = ArrayId::new(1);
        let start = LayoutChange::Start { array, bytes: 64 };
        assert_eq!(bases(&[start]), [4096, 4096 * 9 + 64]);
    }

    #[test]
    fn candidates_are_few_and_within_half_a_period() {
        assert_eq!(paddings(64), [1, 2, 3, 4, 6, 8, 12, 16, 24, 32]);
        assert_eq!(paddings(2), [1]);
        assert!(paddings(1).is_empty());
        let candidates = two_matrices().candidates(4);
        let starts = candidates
            .iter()
            .filter(|x| matches!(x, LayoutChange::Start { .. }));
        assert_eq!((starts.count(), candidates.len()), (2, 6));
    }
}
