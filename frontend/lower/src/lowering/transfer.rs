//! `memcpy` and its like: the loops over elements that they stand for.

use super::content::Lost;
use super::integers::plus;
use super::value::{ArrayRow, Pointer, Target, Value};
use super::{Lowered, Lowering};
use crate::syntax::At;
use premiss_tree::{AccessKind, Expression, RejectReason};

/// One side of a transfer.
struct Side {
    kind: AccessKind,
    row: ArrayRow,
    offset: Expression,
    at: At,
}

impl Lowering<'_> {
    /// Copies (or fills) element by element: loads of `from`, stores of `to`. The elements are those
    /// of the destination.
    pub(super) fn transfer(
        &mut self,
        name: &str,
        to: (Value, At),
        from: Option<(Value, At)>,
        size: Value,
        at: At,
    ) -> Lowered<()> {
        let element = self.element_size(&to.0);
        let mut sides = Vec::new();
        let sources = from.map(|(value, at)| (AccessKind::Load, value, at));
        let sinks = std::iter::once((AccessKind::Store, to.0, to.1));
        for (kind, value, at) in sources.into_iter().chain(sinks) {
            match value {
                Value::Pointer(Pointer {
                    target: Target::Array(row) | Target::Fresh(row),
                    offset,
                    ..
                }) => sides.push(Side {
                    kind,
                    row,
                    offset,
                    at,
                }),
                Value::Pointer(Pointer {
                    target: Target::Scalar(_) | Target::Register(_),
                    ..
                }) => {
                    self.forget_shared(Lost::Everything);
                    self.forget_memory(Lost::Everything);
                }
                _ => {
                    let pointer = self.program.text(at);
                    self.reject(RejectReason::AmbiguousPointer { pointer }, at);
                    return Ok(());
                }
            }
        }
        if sides.is_empty() {
            return Ok(());
        }
        let size = match size {
            Value::Integer(size, _) if !size.any(|part| *part == Expression::Data) => size,
            _ => {
                let why = format!("`{name}` copies a number of bytes that is data");
                self.reject(RejectReason::UncountedLoop { why }, at);
                return Ok(());
            }
        };
        self.transfer_loop(name, &sides, size, element, at)
    }

    fn transfer_loop(
        &mut self,
        name: &str,
        sides: &[Side],
        size: Expression,
        element: u32,
        at: At,
    ) -> Lowered<()> {
        self.loop_of_call(name, at, size, element, |l, byte| {
            for side in sides {
                let offset = plus(side.offset.clone(), byte.clone());
                l.access_array(side.kind, side.row, offset, element, side.at);
            }
            Ok(())
        })
    }

    /// The size of the scalars that a pointer points to, or of the region's own.
    fn element_size(&self, value: &Value) -> u32 {
        let Value::Pointer(pointer) = value else {
            return 1;
        };
        let declared = pointer.pointee.innermost().scalar_size();
        let own = match &pointer.target {
            Target::Array(row) | Target::Fresh(row) => {
                self.arrays[row.0].kind.innermost().scalar_size()
            }
            _ => None,
        };
        declared.or(own).unwrap_or(1).max(1)
    }
}
