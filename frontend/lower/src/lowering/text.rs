//! Library functions that go through text, up to an end that only the text tells.
//!
//! `strcmp(name, "abc")` reads as many characters of `name` as data says, at most all there are:
//!
//! ```text
//! for (c = 0; c < sizeof name; c++)
//!   if (data) load name[c]
//! ```
//!
//! Where the array has no known extent, nothing is known of how often. String literals are no arrays of
//! the program, and neither are files.

use super::integers::plus;
use super::types::Type;
use super::value::{Pointer, Target, Value};
use super::{Lowered, Lowering};
use crate::syntax::At;
use premiss_tree::{AccessKind, BinaryOperator as Op, Expression, IntegerType, RejectReason};

const CHARACTER: IntegerType = IntegerType {
    bits: 8,
    signed: true,
};

impl Lowering<'_> {
    /// The accesses of a call that goes through text; arguments from `stores` on that are numbers, or
    /// the one there, are stored to, and others read.
    pub(super) fn go_through_text(
        &mut self,
        name: &str,
        arguments: &[(Value, At)],
        stores: &std::ops::Range<usize>,
    ) -> Lowered<()> {
        for (idx, (value, at)) in arguments.iter().enumerate() {
            let Value::Pointer(pointer) = value else {
                continue;
            };
            let kind = match stores.contains(&idx) {
                true => AccessKind::Store,
                false => AccessKind::Load,
            };
            let is_text = matches!(&*pointer.pointee, Type::Integer(kind) if kind.bits == 8);
            if is_text && self.reaches_arrays(std::slice::from_ref(&arguments[idx])) {
                self.characters(name, kind, pointer, *at)?;
            } else if kind == AccessKind::Store {
                self.store_possibly(pointer, *at)?;
            }
        }
        Ok(())
    }

    /// A loop over characters, of which each is possible.
    fn characters(
        &mut self,
        name: &str,
        kind: AccessKind,
        pointer: &Pointer,
        at: At,
    ) -> Lowered<()> {
        let Some(bound) = self.bytes_from(pointer) else {
            let callee = name.to_owned();
            self.note_rejection(RejectReason::UnknownCall { callee }, at);
            return Ok(());
        };
        self.loop_of_call(name, at, bound, 1, |l, character| {
            let offset = plus(pointer.offset.clone(), character.clone());
            let access = |l: &mut Self| {
                l.access(
                    kind,
                    &pointer.target,
                    &offset,
                    &Type::Integer(CHARACTER),
                    at,
                );
                Ok(())
            };
            l.branch_values(Expression::Data, access, |_| Ok(()))
                .map(|_| ())
        })
    }

    /// How many bytes there are in an array from where a pointer points.
    fn bytes_from(&self, pointer: &Pointer) -> Option<Expression> {
        let (Target::Array(row) | Target::Fresh(row)) = pointer.target else {
            return None;
        };
        let extent = self.arrays[row.0].extent.clone()?;
        let is_data = pointer.offset.any(|part| *part == Expression::Data);
        (!is_data).then(|| match pointer.offset.as_integer() {
            Some(0) => extent,
            _ => Expression::binary(Op::Subtract, extent, pointer.offset.clone()),
        })
    }

    /// Stores what was read, where something was.
    fn store_possibly(&mut self, pointer: &Pointer, at: At) -> Lowered<()> {
        if !matches!(*pointer.pointee, Type::Integer(_) | Type::Floating(_)) {
            return Ok(());
        }
        let place = self.dereferenced(Value::Pointer(pointer.clone()), at);
        let kind = super::expressions::place_type(&place);
        let store = |l: &mut Self| {
            l.store(&place, super::access::data(kind), at);
            Ok(())
        };
        self.branch_values(Expression::Data, store, |_| Ok(()))
            .map(|_| ())
    }
}
