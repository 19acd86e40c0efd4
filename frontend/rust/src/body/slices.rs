//! Methods of slices, arrays and vectors, and of pointers into them.

use super::methods::Method;
use super::{Body, build};
use crate::types::{SIZE, Ty};
use crate::value::{Range, Slice, Value};
use premiss_ast::syntax::{At, Binary, Expression, ExpressionKind};
use std::sync::Arc;
use syn::Expr;

impl<'a> Body<'a, '_> {
    pub(super) fn slice_method(&mut self, slice: Slice, method: &Method<'a, '_>) -> Value<'a> {
        let at = method.at;
        let arguments = method.arguments.as_slice();
        match (method.name, arguments) {
            ("len" | "capacity", []) => Value::size(Expression { at, ..slice.length }),
            ("is_empty", []) => {
                let zero = build::integer(at, 0);
                Value::Plain(
                    build::binary(at, Binary::Equal, slice.length, zero),
                    Ty::Bool,
                )
            }
            (
                "as_slice" | "as_mut_slice" | "as_ref" | "as_mut" | "as_bytes" | "as_str"
                | "borrow" | "borrow_mut" | "deref" | "as_deref" | "into_boxed_slice"
                | "as_mut_str" | "into_bytes" | "as_bytes_mut" | "leak",
                [],
            ) => self.reference_to(Value::Slice(slice), at),
            (
                "iter" | "iter_mut" | "into_iter" | "par_iter" | "par_iter_mut" | "drain" | "bytes",
                _,
            ) => self.slice_iterator(slice, method),
            ("chunks" | "chunks_mut" | "chunks_exact" | "chunks_exact_mut" | "windows", [size]) => {
                let (value, size) = self.in_order(Value::Slice(slice), |body| body.integer(size));
                match value {
                    Value::Slice(slice) => {
                        Value::Iterator(Box::new(self.slices(slice, method.name, size, at)))
                    }
                    other => other,
                }
            }
            (
                "get" | "get_mut" | "get_unchecked" | "get_unchecked_mut" | "first" | "last"
                | "first_mut" | "last_mut",
                _,
            ) => self.get(slice, method),
            (
                "split_at" | "split_at_mut" | "split_first" | "split_last" | "split_first_mut"
                | "split_last_mut",
                _,
            ) => self.split(slice, method),
            ("swap", [a, b]) => self.swap(slice, a, b, at),
            ("fill", [value]) => self.fill_slice(slice, value, at),
            ("copy_from_slice" | "clone_from_slice", [from]) => self.copy_slice(slice, from, at),
            ("copy_within", [range, to]) => self.copy_within(slice, range, to, at),
            ("add" | "offset" | "sub", _) => self.unknown_method(Value::Slice(slice), method),
            ("clone" | "to_vec" | "to_owned" | "into_vec", []) => self.copy_of(slice, at),
            _ => self.vector_method(slice, method),
        }
    }

    fn slice_iterator(&mut self, slice: Slice, method: &Method<'a, '_>) -> Value<'a> {
        let at = method.at;
        if method.name.starts_with("par_") {
            return self.unsupported(format!("a parallel iterator, `{}`,", method.name), at);
        }
        let is_owned =
            matches!(method.name, "into_iter") && matches!(slice.kind, Ty::Vec(_) | Ty::Array(..));
        let range = match method.arguments.first() {
            Some(range) => self.expression(range, None),
            None => Value::Unit,
        };
        if method.name == "drain" {
            return match range {
                Value::Range(range) if range.start.is_none() && range.end.is_none() => {
                    let Value::Slice(all) = self.held(Value::Slice(slice.clone()), "drained")
                    else {
                        return Value::Unit;
                    };
                    self.set_length(&slice, build::integer(at, 0), at);
                    let sequence = super::chains::loaded(super::chains::elements(all));
                    Value::Iterator(Box::new(sequence))
                }
                _ => self.unsupported("`drain` of a part of a vector", at),
            };
        }
        let slice = match range {
            Value::Range(range) => match self.part(slice.clone(), range, at) {
                Value::Slice(part) => part,
                _ => slice,
            },
            _ => slice,
        };
        let sequence = super::chains::elements(slice);
        Value::Iterator(Box::new(match is_owned || method.name == "bytes" {
            true => super::chains::loaded(sequence),
            false => sequence,
        }))
    }

    /// `get`, `first` and `last`, with or without a test.
    fn get(&mut self, slice: Slice, method: &Method<'a, '_>) -> Value<'a> {
        let at = method.at;
        let is_sure = method.name.contains("unchecked");
        let (value, place) = self.in_order(Value::Slice(slice), |body| {
            method
                .arguments
                .first()
                .map(|place| body.expression(place, Some(&SIZE)))
        });
        let Value::Slice(slice) = value else {
            return value;
        };
        let place = match (method.name, place) {
            (_, Some(place)) => place,
            ("last" | "last_mut", None) => {
                let one = build::integer(at, 1);
                Value::size(build::binary(
                    at,
                    Binary::Subtract,
                    slice.length.clone(),
                    one,
                ))
            }
            _ => Value::size(build::integer(at, 0)),
        };
        if let Value::Range(range) = place {
            let part = self.part(slice, range, at);
            let part = self.reference_to(part, at);
            return match is_sure {
                true => part,
                false => Value::Maybe(self.data(at), Box::new(part)),
            };
        }
        let index = self.integer_of(place, at);
        let index = match is_sure {
            true => index,
            false => self.stable(index, "index"),
        };
        let element = build::index(at, slice.pointer, index.clone());
        let element = self.value_at(element, &slice.element);
        let element = self.reference_to(element, at);
        if is_sure {
            return element;
        }
        let is_some = match method.name {
            "get" | "get_mut" => build::binary(at, Binary::Less, index, slice.length),
            _ => build::binary(at, Binary::Less, build::integer(at, 0), slice.length),
        };
        Value::Maybe(is_some, Box::new(element))
    }

    fn split(&mut self, slice: Slice, method: &Method<'a, '_>) -> Value<'a> {
        let at = method.at;
        let Value::Slice(slice) = self.held(Value::Slice(slice), "held") else {
            return Value::Unit;
        };
        let one = build::integer(at, 1);
        let last = || build::binary(at, Binary::Subtract, slice.length.clone(), one.clone());
        let place = match (method.name, method.arguments.first()) {
            (_, Some(place)) => self.integer(place),
            ("split_last" | "split_last_mut", None) => last(),
            _ => one.clone(),
        };
        let place = self.stable(place, "place");
        let range = |start, end| Range {
            start,
            end,
            kind: SIZE,
        };
        let before = self.part(slice.clone(), range(None, Some(place.clone())), at);
        let behind = self.part(slice.clone(), range(Some(place.clone()), None), at);
        let before = self.reference_to(before, at);
        let behind = self.reference_to(behind, at);
        let is_some = build::binary(
            at,
            Binary::Less,
            build::integer(at, 0),
            slice.length.clone(),
        );
        let mut element = |index| {
            let element = build::index(at, slice.pointer.clone(), index);
            let element = self.value_at(element, &slice.element);
            self.reference_to(element, at)
        };
        match method.name {
            "split_first" | "split_first_mut" => {
                let first = element(build::integer(at, 0));
                Value::Maybe(is_some, Box::new(Value::Tuple(vec![first, behind])))
            }
            "split_last" | "split_last_mut" => {
                let last = element(place);
                Value::Maybe(is_some, Box::new(Value::Tuple(vec![last, before])))
            }
            _ => Value::Tuple(vec![before, behind]),
        }
    }

    /// Two elements, loaded and stored crosswise.
    fn swap(&mut self, slice: Slice, a: &'a Expr, b: &'a Expr, at: At) -> Value<'a> {
        let (a, b) = (self.integer(a), self.integer(b));
        let (a, b) = (self.stable(a, "index"), self.stable(b, "index"));
        let Value::Slice(slice) = self.held(Value::Slice(slice), "held") else {
            return Value::Unit;
        };
        let first = build::index(at, slice.pointer.clone(), a);
        let second = build::index(at, slice.pointer, b);
        self.exchange(first, second, &slice.element, at);
        Value::Unit
    }

    /// Exchanges what two places hold.
    pub(super) fn exchange(&mut self, a: Expression, b: Expression, kind: &Ty, at: At) {
        let memory = self.variable_type(kind);
        let first = self.variable(self.fresh_at(at), "first", memory.clone(), a.clone());
        let second = self.variable(self.fresh_at(at), "second", memory, b.clone());
        self.emit(build::evaluated(build::assign(at, a, second)));
        self.emit(build::evaluated(build::assign(at, b, first)));
    }

    fn fill_slice(&mut self, slice: Slice, value: &'a Expr, at: At) -> Value<'a> {
        let element = slice.element.clone();
        let value = self.expression(value, Some(&element));
        let value = self.held(value, "value");
        let sequence = super::chains::elements(slice);
        self.drive(
            sequence,
            at,
            &super::drive::Named::nothing(),
            &mut |body, place| {
                let place = body.dereferenced(place, at);
                body.assign_to(place, value.clone(), at);
            },
        );
        Value::Unit
    }

    fn copy_slice(&mut self, slice: Slice, from: &'a Expr, at: At) -> Value<'a> {
        let from_at = self.at(from);
        let from = self.expression(from, None);
        let Some(from) = self.as_slice(from, from_at) else {
            return self.unsupported("a copy of something of unknown length", at);
        };
        self.tell(&slice.element, &from.element);
        let size = self.size_of(&slice.element, slice.length, at);
        let call = build::call(at, "memcpy", vec![slice.pointer, from.pointer, size]);
        self.emit(build::evaluated(call));
        Value::Unit
    }

    fn copy_within(&mut self, slice: Slice, range: &'a Expr, to: &'a Expr, at: At) -> Value<'a> {
        let range = self.expression(range, None);
        let to = self.integer(to);
        let Value::Range(range) = range else {
            return self.unsupported("a copy of something of unknown length", at);
        };
        let Value::Slice(from) = self.part(slice.clone(), range, at) else {
            return Value::Unit;
        };
        let size = self.size_of(&slice.element, from.length, at);
        let to = build::address(at, build::index(at, slice.pointer, to));
        let call = build::call(at, "memmove", vec![to, from.pointer, size]);
        self.emit(build::evaluated(call));
        Value::Unit
    }

    /// How many bytes so many elements have.
    pub(super) fn size_of(&mut self, element: &Ty, length: Expression, at: At) -> Expression {
        let element = self.solved(element);
        let memory = self.memory(&element);
        let size = Expression::new(at, ExpressionKind::SizeofType(Arc::new(memory)));
        let size = build::cast(at, build::wide(), size);
        build::binary(at, Binary::Multiply, length, size)
    }

    /// A vector with the same elements.
    fn copy_of(&mut self, slice: Slice, at: At) -> Value<'a> {
        let Value::Slice(slice) = self.held(Value::Slice(slice), "held") else {
            return Value::Unit;
        };
        let copy = self.allocated(&slice.element, slice.length.clone(), at);
        let size = self.size_of(&slice.element, slice.length, at);
        let call = build::call(
            at,
            "memcpy",
            vec![copy.pointer.clone(), slice.pointer, size],
        );
        self.emit(build::evaluated(call));
        Value::Slice(copy)
    }

    /// Methods of pointers.
    pub(super) fn pointer_method(
        &mut self,
        receiver: &Value<'a>,
        method: &Method<'a, '_>,
    ) -> Option<Value<'a>> {
        let at = method.at;
        let Value::Plain(pointer, kind) = receiver else {
            return None;
        };
        let Ty::Pointer(inner) = self.solved(kind) else {
            return None;
        };
        let kind = Ty::Pointer(inner.clone());
        match (method.name, method.arguments.as_slice()) {
            (
                "add" | "offset" | "sub" | "wrapping_add" | "wrapping_sub" | "wrapping_offset",
                [by],
            ) if !inner.is_integer() && !matches!(*inner, Ty::Float(_))
                || is_place_like(pointer) =>
            {
                let pointer = pointer.clone();
                let (first, by) =
                    self.in_order(Value::Plain(pointer, kind.clone()), |body| body.integer(by));
                let Value::Plain(pointer, _) = first else {
                    return None;
                };
                let by = match method.name.ends_with("sub") {
                    true => build::unary(at, premiss_ast::syntax::Unary::Negate, by),
                    false => by,
                };
                let place = build::index(at, pointer, by);
                Some(Value::Plain(build::address(at, place), kind))
            }
            ("read" | "read_unaligned" | "read_volatile", []) => {
                let place = build::dereference(at, pointer.clone());
                Some(self.value_at(place, &inner))
            }
            ("write" | "write_unaligned" | "write_volatile", [value]) => {
                let place = build::dereference(at, pointer.clone());
                let value = self.expression(value, Some(&inner));
                self.store(place, &inner, value, at);
                Some(Value::Unit)
            }
            (
                "as_ptr" | "as_mut_ptr" | "cast" | "cast_mut" | "cast_const" | "as_ref" | "as_mut",
                [],
            ) if !matches!(*inner, Ty::Array(..) | Ty::Record(..) | Ty::Grid(..)) => {
                Some(Value::Plain(pointer.clone(), kind))
            }
            _ => None,
        }
    }
}

/// Whether an expression is a pointer that is held somewhere, not a reference that was made just now.
fn is_place_like(pointer: &Expression) -> bool {
    matches!(
        pointer.kind,
        ExpressionKind::Name(_)
            | ExpressionKind::AddressOf(_)
            | ExpressionKind::Member { .. }
            | ExpressionKind::Cast(..)
            | ExpressionKind::Index(..)
    )
}
