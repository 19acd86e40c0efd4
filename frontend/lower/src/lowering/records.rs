//! Structs in registers: variables of a struct type that no array is part of.
//!
//! Their members are scalars and make no access (rule 1 of the access model). What they hold is kept
//! like what memory holds, so that `view.vector.size` is a size and `view.vector.data` an array.

use super::content::Lost;
use super::integers::plus;
use super::types::Type;
use super::value::{ArrayRow, Pointer, Slot, Target, Value};
use super::{ArrayData, Frame, Lowering};
use crate::syntax::{At, Name};
use premiss_tree::Expression;

/// How many scalars are copied one by one where a struct is assigned as a whole.
const MAX_COPIED: usize = 64;

impl Lowering<'_> {
    /// A new variable of a struct type.
    pub(super) fn record(&mut self, name: &Name, kind: &Type, at: At) -> Slot {
        let mut key: Vec<At> = self.frames.iter().map(|frame| frame.call).collect();
        key.extend([at, at]);
        let row = self.array_row(
            key,
            ArrayData {
                name: name.clone(),
                storage: premiss_tree::Storage::Local,
                order: (0, at),
                kind: kind.clone(),
                extent: None,
                at,
                frame: self.frames.len(),
                is_used: false,
                is_region: false,
                may_be_missing: false,
            },
        );
        self.registers.insert(row);
        self.frame().records.insert(row);
        Slot::Record(row, kind.clone())
    }

    /// Every member of a struct in registers is set to 0.
    pub(super) fn clear_record(&mut self, row: ArrayRow, kind: &Type) {
        let mut scalars = Vec::new();
        if !flatten(kind, 0, &mut scalars) {
            return self.lose_pointers(row);
        }
        for (place, kind) in scalars {
            let zero = self.convert(Value::Integer(0.into(), super::types::INT), &kind);
            self.note_value(row, &place.into(), &zero);
        }
    }

    /// What a function returned, where it is the caller's: a struct, or a pointer that may be null.
    pub(super) fn returned(&mut self, value: Value, at: At) -> Value {
        let kind = match value {
            Value::Record(_, _, ref kind) => kind.clone(),
            Value::Pointer(pointer) => return Value::Pointer(self.returned_pointer(pointer)),
            value => return value,
        };
        let Slot::Record(row, _) = self.record(&Name::from("returned"), &kind, at) else {
            return Value::Data(kind);
        };
        self.note_struct(row, &0.into(), &kind, &value, at);
        Value::Record(row, 0, kind)
    }

    fn returned_pointer(&mut self, pointer: Pointer) -> Pointer {
        let Some((_, where_set)) = self.nullable(&pointer.offset) else {
            return pointer;
        };
        let where_set = where_set.clone();
        let offset = self.nullable_offset(pointer.offset, where_set);
        Pointer { offset, ..pointer }
    }

    /// Forgets the structs in registers of a function that has returned.
    pub(super) fn drop_records(&mut self, returned: &Frame) {
        for row in &returned.records {
            self.addressed.remove(row);
            self.state.memory.drop_row(*row);
        }
    }

    /// Structs in registers whose address went somewhere may have changed.
    pub(super) fn forget_addressed(&mut self, lost: Lost) {
        for row in self.addressed.clone() {
            self.forget_row(row, lost);
        }
    }

    /// Whether what a struct in registers holds leads to arrays.
    pub(super) fn leads_to_arrays(&self, row: ArrayRow) -> bool {
        self.arrays[row.0].kind.holds_pointer()
    }

    /// The struct that lies at a place, as a value.
    pub(super) fn struct_at(&self, target: &Target, offset: &Expression, kind: &Type) -> Value {
        match (target, offset.as_integer()) {
            (Target::Array(row) | Target::Fresh(row) | Target::Register(row), Some(offset)) => {
                Value::Record(*row, offset, kind.clone())
            }
            _ => Value::Data(kind.clone()),
        }
    }

    /// Notes that a struct was stored at a place of registers or memory.
    pub(super) fn note_struct(
        &mut self,
        row: ArrayRow,
        offset: &Expression,
        kind: &Type,
        value: &Value,
        at: At,
    ) {
        let mut scalars = Vec::new();
        let is_small = flatten(kind, 0, &mut scalars);
        let (Some(start), true) = (offset.as_integer(), is_small) else {
            return self.forget_row(row, Lost::Everything);
        };
        let source = match value {
            Value::Record(row, offset, _) => Some((*row, *offset)),
            _ => None,
        };
        for (distance, kind) in scalars {
            let held = source.and_then(|(row, offset)| {
                let place = plus(offset.into(), distance.into());
                self.content(&Target::Register(row), &place, &kind, at)
            });
            let place: Expression = start.saturating_add(distance).into();
            let size = kind.scalar_size().unwrap_or(0);
            self.note_store(row, &place, size);
            if let Some(held) = held {
                self.note_value(row, &place, &held);
            }
        }
    }
}

/// Adds the scalars of a struct with their offsets; false where there are too many, or other things.
fn flatten(kind: &Type, start: i64, scalars: &mut Vec<(i64, Type)>) -> bool {
    match kind {
        Type::Struct(_, layout) => layout.members.iter().all(|member| {
            let start = start.saturating_add(i64::from(member.offset));
            flatten(&member.kind, start, scalars)
        }),
        Type::Array(..) => false,
        kind => {
            scalars.push((start, kind.clone()));
            scalars.len() <= MAX_COPIED
        }
    }
}
