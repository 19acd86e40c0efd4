//! Places, and the accesses that loading and storing them make.

use super::content::Lost;
use super::integers::{plus, times};
use super::types::{BitField, Type};
use super::value::{ArrayRow, Knowledge, Place, Pointer, Slot, Target, Value, WhereSet};
use super::{Lowered, Lowering, ReferenceRow};
use crate::syntax::{At, Expression as Syntax, ExpressionKind, Name};
use premiss_link::Queries;
use premiss_tree::{AccessKind, Expression, Node, ReferenceId, RejectReason, Role};
use std::rc::Rc;

impl Lowering<'_> {
    /// Evaluates an expression as a place. Loads that finding it takes are emitted.
    pub(super) fn place(&mut self, syntax: &Syntax) -> Lowered<Place> {
        self.deeper(syntax.at, |l| l.place_here(syntax))
    }

    fn place_here(&mut self, syntax: &Syntax) -> Lowered<Place> {
        match &syntax.kind {
            ExpressionKind::Name(name) => Ok(self.named_place(name)),
            ExpressionKind::Index(base, index) => self.indexed(base, index, syntax.at),
            ExpressionKind::Dereference(operand) => {
                let value = self.value(operand)?;
                Ok(self.dereferenced(value, syntax.at))
            }
            ExpressionKind::Member {
                base,
                name,
                through_pointer,
            } => {
                let base = if *through_pointer {
                    let value = self.value(base)?;
                    self.dereferenced(value, base.at)
                } else {
                    self.place(base)?
                };
                Ok(self.member(base, name, syntax.at))
            }
            ExpressionKind::Comma(left, right) => {
                self.value(left)?;
                self.place(right)
            }
            ExpressionKind::Generic(control, list) => match self.selected(control, list)? {
                Some(selected) => self.place(selected),
                None => Ok(Place::Nowhere(self.unselected(syntax.at))),
            },
            ExpressionKind::CompoundLiteral(kind, list) => {
                for part in list {
                    self.initializer(&part.value)?;
                }
                let kind = self.resolve(kind)?;
                Ok(self.literal_place(kind, syntax.at))
            }
            // `(x)` with a cast, or the result of a call: a value that is in no memory.
            _ => match self.value(syntax)? {
                Value::Pointer(pointer) if matches!(*pointer.pointee, Type::Array(..)) => {
                    Ok(Place::Element {
                        target: pointer.target,
                        offset: pointer.offset,
                        kind: (*pointer.pointee).clone(),
                        at: syntax.at,
                    })
                }
                value => Ok(Place::Slot(Slot::Fixed(value))),
            },
        }
    }

    fn literal_place(&mut self, kind: Type, at: At) -> Place {
        if !kind.holds_array() {
            if !matches!(kind, Type::Struct(..)) {
                return Place::Slot(Slot::Data(kind));
            }
            let slot = self.record(&Name::from("literal"), &kind, at);
            if let Slot::Record(row, _) = slot {
                self.forget_row(row, Lost::Everything);
                self.lose_pointers(row);
            }
            return Place::Slot(slot);
        }
        let row = self.local_array(&Name::from("literal"), at, &kind, at);
        Place::Slot(Slot::Array(row, kind))
    }

    fn named_place(&mut self, name: &Name) -> Place {
        match self.lookup(name) {
            Some(slot) => {
                if let Slot::Array(row, _) = &slot {
                    self.arrays[row.0].is_used = true;
                }
                Place::Slot(slot)
            }
            None => Place::Slot(Slot::Fixed(self.undeclared(name))),
        }
    }

    fn indexed(&mut self, base: &Syntax, index: &Syntax, at: At) -> Lowered<Place> {
        let base_value = self.value(base)?;
        let index_value =
            self.with_role(Role::Index, |l| l.with_extremes(false, |l| l.value(index)))?;
        let (pointer, index) = match (base_value, index_value) {
            (Value::Pointer(pointer), index) | (index, Value::Pointer(pointer)) => (pointer, index),
            (other, _) => return Ok(self.dereferenced(other, at)),
        };
        let pointer = self.moved(pointer, self.as_offset(index));
        Ok(self.dereferenced(Value::Pointer(pointer), at))
    }

    /// An integer as a distance: data where it is not known.
    pub(super) fn as_offset(&self, value: Value) -> Expression {
        match value {
            Value::Integer(expression, _) => expression,
            _ => Expression::Data,
        }
    }

    /// A pointer moved by so many elements.
    pub(super) fn moved(&self, pointer: Pointer, elements: Expression) -> Pointer {
        let size = pointer.pointee.size().unwrap_or(Expression::Data);
        let offset = if elements == 0.into() {
            pointer.offset
        } else {
            let start = self.offset_where_set(pointer.offset);
            plus(start, times(size, elements))
        };
        Pointer { offset, ..pointer }
    }

    /// What a pointer points to.
    pub(super) fn dereferenced(&mut self, value: Value, at: At) -> Place {
        match value {
            Value::Pointer(pointer) => match pointer.target {
                Target::Scalar(slot) => self.referred_slot(*slot, &pointer.pointee),
                target => Place::Element {
                    target,
                    offset: self.offset_where_set(pointer.offset),
                    kind: (*pointer.pointee).clone(),
                    at,
                },
            },
            Value::Function(name) => Place::Slot(Slot::Fixed(Value::Function(name))),
            Value::Data(Type::Pointer(pointee)) => Place::Element {
                target: Target::Ambiguous,
                offset: Expression::Data,
                kind: (*pointee).clone(),
                at,
            },
            Value::Data(Type::Unknown(_) | Type::Function) => {
                Place::Nowhere(Type::Unknown("?".into()))
            }
            other => {
                self.reject_unsupported("a dereference of something that is no pointer", at);
                Place::Nowhere(other.kind())
            }
        }
    }

    /// The variable that a pointer to something of a type leads to.
    fn referred_slot(&mut self, slot: Slot, pointee: &Type) -> Place {
        if let Slot::Real(_, kind) = slot
            && *pointee != Type::Floating(kind)
        {
            // Its bytes are taken for something else.
            self.lose_value(&slot);
            return Place::Slot(Slot::Data(pointee.clone()));
        }
        Place::Slot(slot)
    }

    fn member(&mut self, base: Place, name: &Name, at: At) -> Place {
        let kind = match &base {
            Place::Slot(
                Slot::Data(kind)
                | Slot::Array(_, kind)
                | Slot::Record(_, kind)
                | Slot::Fixed(Value::Data(kind) | Value::Record(_, _, kind)),
            )
            | Place::Element { kind, .. }
            | Place::Nowhere(kind) => kind.clone(),
            Place::Slot(_) => return Place::Nowhere(Type::Unknown(name.clone())),
        };
        let member = match &kind {
            Type::Struct(_, layout) => super::structs::find(layout, name),
            _ => None,
        };
        let Some(member) = member else {
            let is_in_memory = matches!(base, Place::Element { .. } | Place::Slot(Slot::Array(..)));
            if is_in_memory {
                self.reject_unsupported("a member of a struct of unknown layout", at);
            }
            return Place::Nowhere(Type::Unknown(name.clone()));
        };
        let offset = i64::from(member.offset);
        match base {
            Place::Element {
                target,
                offset: start,
                ..
            } => Place::Element {
                target,
                offset: plus(start, offset.into()),
                kind: member.kind,
                at,
            },
            Place::Slot(Slot::Array(row, _)) if member.kind.holds_array() => Place::Element {
                target: Target::Array(row),
                offset: offset.into(),
                kind: member.kind,
                at,
            },
            Place::Slot(Slot::Array(row, _) | Slot::Record(row, _)) => Place::Element {
                target: Target::Register(row),
                offset: offset.into(),
                kind: member.kind,
                at,
            },
            Place::Slot(Slot::Fixed(Value::Record(row, start, _))) => Place::Element {
                target: Target::Register(row),
                offset: start.saturating_add(offset).into(),
                kind: member.kind,
                at,
            },
            // A scalar member of a variable is a scalar.
            Place::Slot(_) => Place::Slot(Slot::Data(member.kind)),
            Place::Nowhere(_) => Place::Nowhere(member.kind),
        }
    }

    /// The value of a place; an array's is the address of its first element.
    pub(super) fn load(&mut self, place: Place) -> Value {
        if let Place::Element {
            target: Target::OneOf(choice),
            kind,
            ..
        } = &place
            && !matches!(kind, Type::Array(..) | Type::Function)
        {
            return self.load_either(&choice.clone(), &place);
        }
        match place {
            Place::Slot(slot) => self.load_slot(slot),
            Place::Nowhere(kind) => data(kind),
            Place::Element {
                target,
                offset,
                kind,
                at,
            } => match kind {
                Type::Array(element, _) => Value::Pointer(Pointer {
                    target,
                    offset,
                    pointee: element,
                }),
                Type::Function => Value::Data(Type::Function),
                kind => {
                    self.access(AccessKind::Load, &target, &offset, &kind, at);
                    if matches!(kind, Type::Struct(..)) {
                        return self.struct_at(&target, &offset, &kind);
                    }
                    let known = self.content(&target, &offset, &kind, at);
                    known.unwrap_or_else(|| data(kind))
                }
            },
        }
    }

    fn load_slot(&mut self, slot: Slot) -> Value {
        match slot {
            Slot::Fixed(value) => value,
            Slot::Integer(id, kind) => Value::Integer(self.known_value(id), kind),
            Slot::Pointer(id, pointee) => {
                let target = self.state.pointers.get(&id).cloned();
                let target = target.unwrap_or(Target::Ambiguous);
                let offset = self.pointer_offset(self.pointers[id.0], &target);
                Value::Pointer(Pointer {
                    target,
                    offset,
                    pointee,
                })
            }
            Slot::Real(id, kind) => self.real_value(id, kind),
            Slot::Data(kind) => data(kind),
            Slot::Array(row, Type::Array(element, _)) => {
                Value::Pointer(self.pointer_to(row, 0.into(), &element))
            }
            Slot::Record(row, kind) => Value::Record(row, 0, kind),
            Slot::Array(_, kind) => data(kind),
        }
    }

    /// The offset that a pointer to a target has here. Where data decide whether it is null, it is what
    /// it is where the pointer is not.
    fn pointer_offset(&mut self, id: premiss_tree::VariableId, target: &Target) -> Expression {
        match (self.known_value(id), self.state.nullable.get(&id)) {
            (Expression::Data, Some(WhereSet::Known(offset))) => {
                for row in target.arrays() {
                    self.arrays[row.0].may_be_missing = true;
                }
                offset.clone()
            }
            (offset, _) => offset,
        }
    }

    /// The value of a variable here.
    fn known_value(&mut self, id: premiss_tree::VariableId) -> Expression {
        match self.knowledge(id) {
            Some(Knowledge::Known(value)) => value.clone(),
            Some(Knowledge::Exact) => Expression::Variable(id),
            Some(Knowledge::Unknown) | None => Expression::Data,
        }
    }

    /// The address of a place.
    pub(super) fn address(&mut self, place: Place) -> Value {
        match place {
            Place::Element {
                target,
                offset,
                kind,
                ..
            } => {
                if let Target::Register(row) = target {
                    self.addressed.insert(row);
                }
                Value::Pointer(Pointer {
                    target,
                    offset,
                    pointee: Rc::new(kind),
                })
            }
            Place::Slot(Slot::Array(row, kind)) => {
                Value::Pointer(self.pointer_to(row, 0.into(), &Rc::new(kind)))
            }
            Place::Slot(Slot::Record(row, kind)) => {
                self.addressed.insert(row);
                Value::Pointer(Pointer {
                    target: Target::Register(row),
                    offset: 0.into(),
                    pointee: Rc::new(kind),
                })
            }
            Place::Slot(Slot::Fixed(Value::Function(name))) => Value::Function(name),
            Place::Slot(slot) => {
                let kind = slot_type(&slot);
                Value::Pointer(Pointer {
                    target: Target::Scalar(Box::new(slot)),
                    offset: 0.into(),
                    pointee: Rc::new(kind),
                })
            }
            Place::Nowhere(kind) => Value::Data(Type::Pointer(Rc::new(kind))),
        }
    }

    /// Emits an access to a scalar in memory.
    pub(super) fn access(
        &mut self,
        kind: AccessKind,
        target: &Target,
        offset: &Expression,
        element: &Type,
        at: At,
    ) {
        match target {
            Target::Array(row) | Target::Fresh(row) => {
                match element {
                    Type::Struct(..) => return self.access_struct(kind, *row, offset, element, at),
                    Type::BitField(field) => {
                        return self.access_bit_field(kind, *row, offset, *field, at);
                    }
                    _ => {}
                }
                let Some(size) = element.scalar_size() else {
                    return self.reject_unsupported("an access to something of unknown size", at);
                };
                self.access_array(kind, *row, offset.clone(), size, at);
                if let Some(reference) = self.references.last_mut() {
                    reference.holds = super::operations::held(element);
                }
            }
            Target::Register(row) => {
                if kind == AccessKind::Store && !matches!(element, Type::Struct(..)) {
                    let size = element.scalar_size().unwrap_or(0);
                    self.note_store(*row, offset, size);
                }
            }
            Target::Scalar(_) => {}
            Target::OneOf(choice) => {
                // An access fails nowhere.
                let _ = self.with_either(choice, |l, target| {
                    l.access(kind, &target, offset, element, at);
                });
            }
            Target::Null | Target::Ambiguous => {
                let pointer = pointer_text(self.program, at);
                self.note_rejection(RejectReason::AmbiguousPointer { pointer }, at);
                if kind == AccessKind::Store {
                    self.note_store_anywhere(element);
                }
            }
        }
    }

    /// Something of a type was stored, nobody knows where: objects of other types are as they were
    /// (C11, 6.5:7).
    fn note_store_anywhere(&mut self, element: &Type) {
        self.forget_shared_reals();
        match element {
            Type::Floating(_) => {}
            Type::Integer(kind) if 8 < kind.bits => self.forget_memory(Lost::Integers),
            _ => self.forget_memory(Lost::Everything),
        }
    }

    pub(super) fn access_array(
        &mut self,
        kind: AccessKind,
        row: ArrayRow,
        offset: Expression,
        size: u32,
        at: At,
    ) {
        self.arrays[row.0].is_used = true;
        if kind == AccessKind::Store {
            self.note_store(row, &offset, size);
        }
        let id = u32::try_from(self.references.len()).unwrap_or(u32::MAX);
        let function = self.frame_ref().function.clone();
        self.references.push(ReferenceRow {
            array: row,
            kind,
            offset,
            size,
            holds: None,
            combines: None,
            at,
            inside: self.open_loops.last().copied(),
            function,
        });
        self.emit(Node::Access(ReferenceId::from_u32(id)));
    }
}

/// An unknown value of a type.
pub(super) fn data(kind: Type) -> Value {
    match kind {
        Type::Integer(kind) | Type::BitField(BitField { kind, .. }) => {
            Value::Integer(Expression::Data, kind)
        }
        Type::Floating(size) => Value::Floating(None, size),
        Type::Bool => Value::Integer(
            Expression::Data,
            premiss_tree::IntegerType {
                bits: 1,
                signed: false,
            },
        ),
        Type::Void => Value::Void,
        Type::Pointer(pointee) => Value::Pointer(Pointer {
            target: Target::Ambiguous,
            offset: Expression::Data,
            pointee,
        }),
        other => Value::Data(other),
    }
}

pub(super) fn slot_type(slot: &Slot) -> Type {
    match slot {
        Slot::Fixed(value) => value.kind(),
        Slot::Integer(_, kind) => Type::Integer(*kind),
        Slot::Pointer(_, pointee) => Type::Pointer(pointee.clone()),
        Slot::Real(_, kind) => Type::Floating(*kind),
        Slot::Data(kind) | Slot::Array(_, kind) | Slot::Record(_, kind) => kind.clone(),
    }
}

/// The pointer of a reference as written: `p[i]` without its last subscript, `*p` without `*`.
fn pointer_text(program: &dyn Queries, at: At) -> String {
    let text = program.text(at);
    if let Some(rest) = text.strip_prefix('*') {
        return rest.trim_matches(['(', ')', '+']).to_owned();
    }
    let mut open = 0_usize;
    for (idx, c) in text.char_indices().rev() {
        match c {
            ']' => open += 1,
            '[' => open = open.saturating_sub(1),
            _ => {}
        }
        if open == 0 && c == '[' {
            return text[..idx].trim().to_owned();
        }
    }
    match text.rsplit_once("->") {
        Some((pointer, _)) => pointer.to_owned(),
        None => text,
    }
}
