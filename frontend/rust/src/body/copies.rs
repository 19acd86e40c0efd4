//! Values in memory: what a place holds, and storing to it.

use super::{Body, build};
use crate::context::dimensions;
use crate::types::Ty;
use crate::value::{Grid, Slice, Value};
use premiss_ast::syntax::{At, Expression, ExpressionKind, TypeName};
use std::sync::Arc;

impl<'a> Body<'a, '_> {
    /// What a place of a type holds.
    pub(super) fn value_at(&mut self, place: Expression, kind: &Ty) -> Value<'a> {
        let written = kind;
        let kind = self.solved(written);
        let at = place.at;
        if let Some(element) = kind.slice_element() {
            let place = match &kind {
                Ty::Pointer(inner) if matches!(**inner, Ty::Vec(_)) => {
                    build::dereference(at, place)
                }
                _ => place,
            };
            return Value::Slice(Slice {
                pointer: build::member(at, place.clone(), ""),
                length: build::member(at, place, "len()"),
                element,
                kind,
            });
        }
        match &kind {
            Ty::Grid(element, rank) => {
                let pointer = build::member(at, place.clone(), "");
                let names = dimensions(*rank).into_iter();
                let lengths = names.map(|name| build::member(at, place.clone(), &name));
                let element = element.clone();
                Value::Grid(Grid::standard(at, pointer, element, lengths.collect()))
            }
            Ty::Tuple(parts) => {
                let mut values = Vec::new();
                for (idx, part) in parts.iter().enumerate() {
                    let part_place = build::member(at, place.clone(), &idx.to_string());
                    values.push(self.value_at(part_place, part));
                }
                Value::Tuple(values)
            }
            Ty::Range(inner) => Value::Range(crate::value::Range {
                start: Some(build::member(at, place.clone(), "start")),
                end: Some(build::member(at, place, "end")),
                kind: (**inner).clone(),
            }),
            Ty::Maybe(_) => {
                // Whether there is something takes a look at it.
                self.emit(build::evaluated(place));
                Value::Unknown(kind)
            }
            Ty::Unit => Value::Unit,
            // What is told of it later on is told of the hole.
            _ => Value::Plain(place, written.clone()),
        }
    }

    /// The value of an integer in memory as it is computed with.
    pub(super) fn loaded(&mut self, expression: Expression, kind: &Ty) -> Expression {
        let narrow = match self.solved(kind) {
            Ty::Int(kind) => kind.bits < 64,
            Ty::Char => true,
            _ => false,
        };
        let is_variable = matches!(expression.kind, ExpressionKind::Name(_));
        if narrow && build::is_place(&expression) && !is_variable {
            return build::cast(expression.at, build::wide(), expression);
        }
        expression
    }

    /// Stores a value to a place of a type.
    pub(super) fn store(&mut self, place: Expression, kind: &Ty, value: Value<'a>, at: At) {
        self.tell(kind, &value.kind());
        let kind = self.solved(kind);
        let value = self.coerced(value, &kind);
        match (&kind, value) {
            (Ty::Unit, value) => {
                self.evaluate(value);
            }
            (_, Value::Never) => {}
            (Ty::Array(..), Value::Plain(from, _)) => self.copy_array(place, from, &kind, at),
            (_, Value::Plain(value, found)) => {
                let value = self.loaded(value, &found);
                self.emit(build::evaluated(build::assign(at, place, value)));
            }
            (_, Value::Slice(slice)) => {
                let has_capacity = matches!(kind, Ty::Vec(_));
                let Value::Slice(slice) = self.held(Value::Slice(slice), "held") else {
                    return;
                };
                if has_capacity {
                    self.store_member(&place, "capacity()", slice.length.clone(), at);
                }
                self.store_member(&place, "", slice.pointer, at);
                self.store_member(&place, "len()", slice.length, at);
            }
            (Ty::Tuple(kinds), Value::Tuple(values)) => {
                for (idx, (kind, value)) in kinds.iter().zip(values).enumerate() {
                    let part = build::member(at, place.clone(), &idx.to_string());
                    self.store(part, kind, value, at);
                }
            }
            (Ty::Grid(_, rank), Value::Grid(grid)) => {
                self.store_member(&place, "", grid.pointer, at);
                for (name, (length, _)) in dimensions(*rank).iter().zip(grid.axes) {
                    self.store_member(&place, name, length, at);
                }
            }
            (kind, value) => {
                self.evaluate(value);
                let memory = self.memory(kind);
                let data = build::data(at, memory);
                self.emit(build::evaluated(build::assign(at, place, data)));
            }
        }
    }

    fn store_member(&mut self, place: &Expression, name: &str, value: Expression, at: At) {
        let member = build::member(at, place.clone(), name);
        self.emit(build::evaluated(build::assign(at, member, value)));
    }

    /// Copies an array, element by element.
    pub(super) fn copy_array(&mut self, to: Expression, from: Expression, kind: &Ty, at: At) {
        let memory = self.memory(kind);
        let size = Expression::new(at, ExpressionKind::SizeofType(Arc::new(memory)));
        let size = build::cast(at, build::wide(), size);
        let call = build::call(at, "memcpy", vec![to, from, size]);
        self.emit(build::evaluated(call));
    }

    /// A local array that holds the same as another.
    pub(super) fn array_copy(
        &mut self,
        name: &str,
        from: Expression,
        kind: &Ty,
        at: At,
    ) -> Value<'a> {
        let variable = self.new_array(name, kind, at);
        self.copy_array(variable.clone(), from, kind, at);
        Value::Plain(variable, kind.clone())
    }

    /// A local variable of a type, without a value.
    pub(super) fn new_array(&mut self, name: &str, kind: &Ty, at: At) -> Expression {
        let memory = self.memory(kind);
        let name = self.new_name(name);
        self.emit(build::declaration(at, &name, memory, None));
        build::name(at, &name)
    }

    /// The variable that something is made in, with the name that is wanted for it.
    pub(super) fn making(&mut self, otherwise: &str, kind: &Ty, at: At) -> Expression {
        let wanted = self.wanted.take();
        let place = self.fresh_at(at);
        let variable = self.new_array(&wanted.unwrap_or_else(|| otherwise.to_owned()), kind, place);
        if let ExpressionKind::Name(name) = &variable.kind {
            self.made.insert(name.clone());
        }
        variable
    }

    /// A value that was made in a variable of its own, and is the variable from now on.
    pub(super) fn take_made(&mut self, value: &Value<'a>) -> Option<Value<'a>> {
        match value {
            Value::Plain(
                Expression {
                    kind: ExpressionKind::Name(name),
                    ..
                },
                _,
            ) if self.made.remove(name) => Some(value.clone()),
            _ => None,
        }
    }

    /// A value as one of a type: an array as the slice that it is.
    pub(super) fn coerced(&mut self, value: Value<'a>, kind: &Ty) -> Value<'a> {
        self.tell(kind, &value.kind());
        let kind = self.solved(kind);
        let at = self.place_of(&value);
        if let (Some(element), Some(at)) = (kind.slice_element(), at)
            && !matches!(value, Value::Slice(_))
            && let Some(slice) = self.as_slice(value.clone(), at)
        {
            return Value::Slice(Slice {
                kind,
                element: if slice.element.is_unknown() {
                    element
                } else {
                    slice.element.clone()
                },
                ..slice
            });
        }
        match (value, &kind) {
            (Value::Slice(slice), Ty::Pointer(inner)) if matches!(**inner, Ty::Array(..)) => {
                Value::Plain(slice.pointer, kind)
            }
            (Value::Slice(slice), Ty::Pointer(inner))
                if inner.is_scalar() || matches!(**inner, Ty::Record(..)) =>
            {
                Value::Plain(slice.pointer, kind)
            }
            (Value::Slice(slice), _) if kind.slice_element().is_some() => {
                self.tell(&kind, &slice.kind.clone());
                Value::Slice(Slice { kind, ..slice })
            }
            (Value::Plain(value, Ty::Pointer(from)), Ty::Pointer(to))
                if matches!(*from, Ty::Array(..)) && !matches!(**to, Ty::Array(..)) =>
            {
                Value::Plain(value, kind.clone())
            }
            (Value::Tuple(values), Ty::Tuple(kinds)) if values.len() == kinds.len() => {
                let pairs = values.into_iter().zip(kinds.clone());
                Value::Tuple(
                    pairs
                        .map(|(value, kind)| self.coerced(value, &kind))
                        .collect(),
                )
            }
            (Value::Maybe(is_some, value), Ty::Maybe(inner)) => {
                Value::Maybe(is_some, Box::new(self.coerced(*value, &inner.clone())))
            }
            (Value::Unknown(old), _) if !kind.is_unknown() => {
                let at = At::start_of(self.ctx.grounds[self.unit].unit);
                match old {
                    Ty::Never => Value::Never,
                    _ => self.data_of(&kind, at),
                }
            }
            (Value::Plain(value, found), _) => {
                self.tell(&kind, &found);
                let kind = if kind.is_unknown() { found } else { kind };
                Value::Plain(value, kind)
            }
            (value, _) => value,
        }
    }

    /// Where a value stands, as far as it has places.
    fn place_of(&self, value: &Value<'a>) -> Option<At> {
        let mut parts = Vec::new();
        value.parts(&mut parts);
        parts.first().map(|part| part.at)
    }

    /// Elements that follow one another, as a slice.
    pub(super) fn as_slice(&mut self, value: Value<'a>, at: At) -> Option<Slice> {
        match value {
            Value::Slice(slice) => Some(slice),
            Value::Plain(place, kind) => match self.solved(&kind) {
                Ty::Array(element, length) => Some(Slice {
                    pointer: place,
                    length: length.expression(),
                    kind: Ty::Slice(element.clone()).pointer(),
                    element,
                }),
                Ty::Pointer(inner) | Ty::Box(inner) => {
                    let kind = self.solved(&inner);
                    match kind {
                        Ty::Array(..) => self.as_slice(Value::Plain(place, kind), at),
                        Ty::Vec(_) | Ty::Pointer(_) | Ty::Box(_) => {
                            let place = build::dereference(at, place);
                            let value = self.value_at(place, &kind);
                            self.as_slice(value, at)
                        }
                        _ => None,
                    }
                }
                _ => None,
            },
            Value::Alias(value) => self.as_slice(*value, at),
            Value::Grid(grid) => {
                let lengths = grid.axes.iter().map(|(length, _)| length.clone());
                let product = lengths.reduce(|a, b| {
                    build::binary(at, premiss_ast::syntax::Binary::Multiply, a, b)
                })?;
                Some(Slice {
                    pointer: grid.pointer,
                    length: product,
                    kind: Ty::Slice(grid.element.clone()).pointer(),
                    element: grid.element,
                })
            }
            _ => None,
        }
    }

    /// A reference to a value.
    pub(super) fn reference_to(&mut self, value: Value<'a>, at: At) -> Value<'a> {
        match value {
            Value::Plain(place, kind) => {
                let kind = self.solved(&kind);
                if let Ty::Array(..) = kind {
                    return Value::Plain(place, kind.pointer());
                }
                if build::is_place(&place) {
                    return Value::Plain(build::address(at, place), kind.pointer());
                }
                if let Ty::Pointer(_) | Ty::Box(_) = kind {
                    return Value::Alias(Box::new(Value::Plain(place, kind)));
                }
                let memory = self.memory(&kind);
                let memory = kind.variable(memory);
                let place = self.variable(at, "temporary", memory, place);
                Value::Plain(build::address(at, place), kind.pointer())
            }
            Value::Slice(slice) => {
                let kind = match &slice.kind {
                    Ty::Pointer(_) => slice.kind.clone(),
                    kind => kind.clone().pointer(),
                };
                Value::Slice(Slice { kind, ..slice })
            }
            other => other,
        }
    }

    /// What a reference leads to.
    pub(super) fn dereferenced(&mut self, value: Value<'a>, at: At) -> Value<'a> {
        match value {
            Value::Plain(pointer, kind) => match self.solved(&kind) {
                Ty::Pointer(inner) | Ty::Box(inner) => {
                    let inner = self.solved(&inner);
                    match inner {
                        Ty::Array(..) => Value::Plain(pointer, inner),
                        _ => {
                            let place = build::dereference(at, pointer);
                            self.value_at(place, &inner)
                        }
                    }
                }
                kind => Value::Plain(pointer, kind),
            },
            Value::Alias(value) => *value,
            Value::Slice(slice) => {
                let kind = match &slice.kind {
                    Ty::Pointer(inner) => (**inner).clone(),
                    kind => kind.clone(),
                };
                Value::Slice(Slice { kind, ..slice })
            }
            other => other,
        }
    }

    /// What references lead to, however many.
    pub(super) fn peeled(&mut self, value: Value<'a>, at: At) -> Value<'a> {
        let mut value = value;
        loop {
            match &value {
                Value::Plain(_, kind)
                    if matches!(self.solved(kind), Ty::Pointer(_) | Ty::Box(_)) =>
                {
                    value = self.dereferenced(value, at);
                }
                Value::Alias(_) => value = self.dereferenced(value, at),
                _ => return value,
            }
        }
    }

    /// The type of something in memory.
    pub(super) fn memory(&mut self, kind: &Ty) -> TypeName {
        let kind = self.filled_in(kind);
        self.ctx.memory(&kind)
    }

    /// The parts of a type.
    pub(super) fn parts_of(&mut self, kind: &Ty) -> Vec<(String, TypeName)> {
        let kind = self.filled_in(kind);
        self.ctx.parts(&kind)
    }

    /// The type of a local variable of a type.
    pub(super) fn variable_type(&mut self, kind: &Ty) -> TypeName {
        let kind = self.solved(kind);
        let memory = self.memory(&kind);
        kind.variable(memory)
    }
}
