//! Structs: where their members lie, and what copying one does.

use super::integers::plus;
use super::types::{Layout, Member, Type};
use super::value::ArrayRow;
use super::{Lowered, Lowering};
use crate::syntax::{At, Name, StructId};
use premiss_tree::{AccessKind, Expression};
use std::rc::Rc;

/// How many scalar fields a struct may have that is copied as a whole.
const MAX_COPIED_FIELDS: usize = 256;

impl Lowering<'_> {
    /// The layout of a struct; `None` where it is not declared, or its size is not a constant.
    pub(super) fn layout(&mut self, id: StructId) -> Lowered<Option<Rc<Layout>>> {
        if let Some(known) = self.layouts.get(&id) {
            return Ok(known.clone());
        }
        // A struct that contains itself has no layout.
        self.layouts.insert(id, None);
        let layout = self.lay_out(id)?.map(Rc::new);
        self.layouts.insert(id, layout.clone());
        Ok(layout)
    }

    fn lay_out(&mut self, id: StructId) -> Lowered<Option<Layout>> {
        let program = self.program;
        let Some(row) = program.unit.structs.get(id.0) else {
            return Ok(None);
        };
        let Some(fields) = &row.fields else {
            return Ok(None);
        };
        let mut layout = Layout {
            size: 0,
            alignment: 1,
            members: Vec::new(),
        };
        let mut end: u32 = 0;
        for field in fields {
            let kind = self.resolve(&field.kind)?;
            let size = match (&kind, kind.size()) {
                (Type::Array(_, None), _) => 0,
                (_, Some(Expression::Integer(size))) => match u32::try_from(size) {
                    Ok(size) => size,
                    Err(_) => return Ok(None),
                },
                _ => return Ok(None),
            };
            let alignment = if row.packed {
                1
            } else {
                kind.alignment().max(1)
            };
            let offset = if row.is_union {
                Some(0)
            } else {
                end.checked_next_multiple_of(alignment)
            };
            let Some((offset, after)) = offset.and_then(|o| Some((o, o.checked_add(size)?))) else {
                return Ok(None);
            };
            end = end.max(after);
            layout.alignment = layout.alignment.max(alignment);
            layout.members.push(Member {
                name: field.name.clone(),
                offset,
                kind,
                is_bit_field: field.is_bit_field,
            });
        }
        let Some(size) = end.checked_next_multiple_of(layout.alignment) else {
            return Ok(None);
        };
        // Bit-fields share storage: the offsets behind them are not known here.
        let has_bit_fields = fields.iter().any(|field| field.is_bit_field);
        layout.size = size;
        Ok((!has_bit_fields).then_some(layout))
    }

    /// Accesses every scalar field of a struct in order.
    pub(super) fn access_struct(
        &mut self,
        kind: AccessKind,
        row: ArrayRow,
        offset: &Expression,
        element: &Type,
        at: At,
    ) {
        let mut scalars = Vec::new();
        if !scalars_of(element, 0, &mut scalars) {
            return self.reject_unsupported("a copy of such a struct", at);
        }
        for (start, size) in scalars {
            self.access_array(kind, row, plus(offset.clone(), start.into()), size, at);
        }
    }
}

/// Adds offset and size of each scalar in a type; false where there are too many, or a union.
fn scalars_of(kind: &Type, start: i64, scalars: &mut Vec<(i64, u32)>) -> bool {
    if scalars.len() >= MAX_COPIED_FIELDS {
        return false;
    }
    match kind {
        Type::Struct(_, layout) => {
            let is_union = layout.members.len() > 1 && layout.members.iter().all(|m| m.offset == 0);
            !is_union
                && layout.members.iter().all(|member| {
                    let offset = start.saturating_add(i64::from(member.offset));
                    scalars_of(&member.kind, offset, scalars)
                })
        }
        Type::Array(element, Some(Expression::Integer(length))) => {
            let Some(size) = element.size().and_then(|size| size.as_integer()) else {
                return false;
            };
            (0..*length).all(|idx| {
                let offset = start.saturating_add(size.saturating_mul(idx));
                scalars_of(element, offset, scalars)
            })
        }
        other => match other.scalar_size() {
            Some(size) => {
                scalars.push((start, size));
                true
            }
            None => false,
        },
    }
}

/// The member of that name, those of nameless members included.
pub(super) fn find(layout: &Layout, name: &Name) -> Option<Member> {
    for member in &layout.members {
        if member.name.as_ref() == Some(name) {
            return Some(member.clone());
        }
        if let (None, Type::Struct(_, inner)) = (&member.name, &member.kind)
            && let Some(found) = find(inner, name)
        {
            return Some(Member {
                offset: member.offset + found.offset,
                ..found
            });
        }
    }
    None
}
