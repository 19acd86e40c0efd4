//! Vectors: allocated elements with a length.

use super::methods::Method;
use super::{Body, build};
use crate::types::{SIZE, Ty};
use crate::value::{Slice, Value};
use premiss_ast::syntax::{At, Binary, Expression};
use std::rc::Rc;
use std::sync::Arc;

/// Methods that go through elements in an order that is not written down, or as often as data says.
const UNORDERED: [&str; 20] = [
    "sort",
    "sort_by",
    "sort_unstable",
    "sort_unstable_by",
    "sort_by_key",
    "binary_search",
    "binary_search_by",
    "contains",
    "reverse",
    "rotate_left",
    "rotate_right",
    "concat",
    "join",
    "dedup",
    "retain",
    "starts_with",
    "ends_with",
    "select_nth_unstable",
    "repeat",
    "fill_with",
];

impl<'a> Body<'a, '_> {
    /// Elements that are allocated here.
    pub(super) fn allocated(&mut self, element: &Arc<Ty>, length: Expression, at: At) -> Slice {
        let size = self.size_of(element, length.clone(), at);
        let place = self.fresh_at(at);
        let call = build::call(place, "malloc", vec![size]);
        let kind = Ty::Pointer(element.clone());
        let memory = self.variable_type(&kind);
        let wanted = self.wanted.take().unwrap_or_else(|| "allocated".to_owned());
        let pointer = self.variable(at, &wanted, memory, call);
        Slice {
            pointer,
            length,
            kind: Ty::Vec(element.clone()),
            element: element.clone(),
        }
    }

    /// Elements of which nobody knows how many there are.
    pub(super) fn unmeasured(&mut self, element: &Arc<Ty>, at: At) -> Slice {
        let length = self.data(at);
        self.allocated(element, length, at)
    }

    /// Methods that change the length of a vector, and those of slices that are no loops over all elements.
    pub(super) fn vector_method(&mut self, slice: Slice, method: &Method<'a, '_>) -> Value<'a> {
        let at = method.at;
        match (method.name, method.arguments.as_slice()) {
            ("push", [value]) => {
                let element = slice.element.clone();
                let (whole, value) = self.in_order(Value::Slice(slice), |body| {
                    body.expression(value, Some(&element))
                });
                let Value::Slice(slice) = whole else {
                    return whole;
                };
                self.tell(&slice.element, &value.kind());
                let place = build::index(at, slice.pointer.clone(), slice.length.clone());
                self.store(place, &slice.element, value, at);
                let more =
                    build::binary(at, Binary::Add, slice.length.clone(), build::integer(at, 1));
                self.set_length(&slice, more, at);
                Value::Unit
            }
            ("clear", []) => {
                self.set_length(&slice, build::integer(at, 0), at);
                Value::Unit
            }
            ("set_len", [length]) => {
                let length = self.integer(length);
                self.set_length(&slice, length, at);
                Value::Unit
            }
            ("truncate", [length]) => {
                let length = self.integer(length);
                let length = self.stable(length, "length");
                let length = build::least(at, slice.length.clone(), length);
                self.set_length(&slice, length, at);
                Value::Unit
            }
            ("reserve" | "reserve_exact" | "shrink_to_fit", _) => {
                let list = method.arguments.iter().map(|x| (*x, None)).collect();
                self.operands(list).into_iter().for_each(|value| {
                    self.evaluate(value);
                });
                Value::Unit
            }
            ("resize", [length, value]) => {
                let length = self.integer(length);
                let element = slice.element.clone();
                let value = self.expression(value, Some(&element));
                self.tell(&slice.element, &value.kind());
                self.set_length(&slice, length, at);
                Value::Unit
            }
            ("extend_from_slice" | "extend" | "append", [from]) => {
                let from_at = self.at(*from);
                let from = self.expression(from, None);
                match self.sequence(from, from_at) {
                    Some(sequence) => self.extend(&slice, sequence, at),
                    None => self.unsupported("an iterator of unknown length", at),
                }
            }
            ("pop", []) => {
                let data = self.data(at);
                let place = build::index(at, slice.pointer.clone(), data.clone());
                let element = self.value_at(place, &slice.element.clone());
                self.set_length(&slice, data.clone(), at);
                Value::Maybe(data, Box::new(element))
            }
            (name, _) if UNORDERED.contains(&name) => {
                self.unsupported(format!("`{name}` of a slice"), at)
            }
            (_, _) => self.iterate_or_refuse(slice, method),
        }
    }

    /// Methods of iterators that slices have too, such as those of a trait of the program.
    fn iterate_or_refuse(&mut self, slice: Slice, method: &Method<'a, '_>) -> Value<'a> {
        let receiver = Value::Slice(slice);
        self.unknown_method(receiver, method)
    }

    fn extend(&mut self, slice: &Slice, sequence: crate::value::Sequence<'a>, at: At) -> Value<'a> {
        let old = self.stable(slice.length.clone(), "old");
        let is_counted = sequence.is_indexed();
        let count = sequence.count.clone().filter(|_| is_counted);
        let count = count.map(|count| self.stable(count, "count"));
        let (pointer, element) = (slice.pointer.clone(), slice.element.clone());
        let start = old.clone();
        self.store_items(&pointer, &element, &start, sequence, at);
        let length = match count {
            Some(count) => build::binary(at, Binary::Add, old, count),
            None => self.data(at),
        };
        self.set_length(slice, length, at);
        Value::Unit
    }

    /// Stores what an iterator yields, from an element on.
    pub(super) fn store_items(
        &mut self,
        pointer: &Expression,
        element: &Arc<Ty>,
        start: &Expression,
        sequence: crate::value::Sequence<'a>,
        at: At,
    ) {
        let names = super::drive::Named::nothing();
        // Behind a filter, nobody knows the number of an item.
        let sequence = super::chains::numbered(sequence);
        self.drive(sequence, at, &names, &mut |body, item| {
            let Value::Tuple(pair) = item else { return };
            let [Value::Plain(number, _), value] = pair.as_slice() else {
                return;
            };
            let value = match body.solved(element) {
                Ty::Pointer(_) => value.clone(),
                _ => body.peeled(value.clone(), at),
            };
            let idx = build::binary(at, Binary::Add, start.clone(), number.clone());
            let place = build::index(at, pointer.clone(), idx);
            body.store(place, element, value, at);
        });
    }

    /// Gives a vector another length.
    pub(super) fn set_length(&mut self, slice: &Slice, length: Expression, at: At) {
        if build::is_place(&slice.length) {
            let change = build::assign(at, slice.length.clone(), length);
            self.emit(build::evaluated(change));
        } else {
            self.unsupported("another length of a vector that is not held here", at);
        }
    }

    /// Functions of the standard library by their paths.
    pub(super) fn library_call(
        &mut self,
        names: &[&str],
        path: &syn::Path,
        arguments: &[Value<'a>],
        at: At,
        expected: Option<&Ty>,
    ) -> Option<Value<'a>> {
        let one = |idx: usize| arguments.get(idx).cloned().unwrap_or(Value::Unit);
        Some(match names {
            [.., "Some" | "Ok"] if arguments.len() == 1 => {
                Value::Maybe(build::integer(at, 1), Box::new(one(0)))
            }
            [.., "Err"] => {
                self.evaluate(one(0));
                let nothing = Value::Unknown(Ty::unknown());
                Value::Maybe(build::integer(at, 0), Box::new(nothing))
            }
            [.., "Vec", "new"] | [.., "Vec", "with_capacity"] | [.., "String", "new"] => {
                let element = self.new_element(path, expected, at);
                let capacity = match arguments {
                    [capacity] => Some(self.integer_of(capacity.clone(), at)),
                    _ => None,
                };
                self.empty_vector(&element, capacity, at)
            }
            [
                ..,
                "Box" | "Rc" | "Arc" | "Cell" | "RefCell" | "Mutex" | "black_box",
                "new",
            ]
            | [
                ..,
                "black_box" | "identity" | "ManuallyDrop" | "Wrapping" | "Cow",
            ] if arguments.len() == 1 => one(0),
            [.., "mem", "swap"] | ["swap"] => {
                let (a, b) = (one(0), one(1));
                self.swap_values(a, b, at)
            }
            [.., "mem", "replace"] => {
                let place = self.dereferenced(one(0), at);
                let old = self.held(place.clone(), "old");
                let old = self.copied_out(old);
                self.assign_to(place, one(1), at);
                old
            }
            [.., "mem", "take"] => {
                let place = self.dereferenced(one(0), at);
                let kind = self.solved(&place.kind());
                let old = self.copied_out(place.clone());
                match place {
                    Value::Plain(place, _) if kind.is_scalar() => {
                        let zero = Value::Plain(build::integer(at, 0), kind.clone());
                        self.store(place, &kind, zero, at);
                    }
                    Value::Slice(slice) if !matches!(kind, Ty::Vec(_)) => {
                        self.set_length(&slice, build::integer(at, 0), at);
                    }
                    _ => return Some(self.unsupported("`take` of something with parts", at)),
                }
                old
            }
            [.., "drop" | "forget" | "black_box"] => {
                self.evaluate(one(0));
                Value::Unit
            }
            [.., "cmp" | "f64" | "f32" | "usize", "min" | "max"] | ["min" | "max"]
                if arguments.len() == 2 =>
            {
                let name = names.last().copied().unwrap_or("min");
                let first = self.peeled(one(0), at);
                self.number_with(first, name, vec![one(1)], at)
            }
            [.., "size_of"] => {
                let scope = self.scope.clone();
                let last = path.segments.last()?;
                let stated = self.ctx.arguments(last, &scope, 0).into_iter().next()?;
                let crate::types::Argument::Type(kind) = stated else {
                    return None;
                };
                Value::size(self.size_of(&kind, build::integer(at, 1), at))
            }
            [.., "copy_nonoverlapping" | "copy"] if arguments.len() == 3 => {
                let (Value::Plain(from, kind), Value::Plain(to, _)) = (one(0), one(1)) else {
                    return None;
                };
                let Ty::Pointer(element) = self.solved(&kind) else {
                    return None;
                };
                let length = self.integer_of(one(2), at);
                let size = self.size_of(&element, length, at);
                let call = build::call(at, "memcpy", vec![to, from, size]);
                self.emit(build::evaluated(call));
                Value::Unit
            }
            [.., "ptr", "read"] => self.dereferenced(one(0), at),
            [.., "ptr", "write"] => {
                let place = self.dereferenced(one(0), at);
                self.assign_to(place, one(1), at);
                Value::Unit
            }
            [.., "slice", "from_raw_parts" | "from_raw_parts_mut"]
            | ["from_raw_parts" | "from_raw_parts_mut"] => self.raw_parts(one(0), one(1), at)?,
            [.., "from_fn"] => {
                let Value::Closure(closure) = one(0) else {
                    return None;
                };
                self.array_of_calls(&closure, expected, at)?
            }
            [.., "exit" | "abort" | "unreachable_unchecked" | "panic_any"] => Value::Never,
            [.., kind, "from" | "try_from"]
                if Ty::primitive(kind).is_some_and(|x| x.is_scalar()) =>
            {
                let kind = Ty::primitive(kind)?;
                let value = self.peeled(one(0), at);
                self.cast_to(value, kind, at)
            }
            [.., "Vec", "from"] => {
                let slice = self.as_slice(one(0), at)?;
                let method = Method {
                    name: "to_vec",
                    arguments: Vec::new(),
                    at,
                    expected: None,
                };
                self.slice_method(slice, &method)
            }
            [.., "repeat"] if arguments.len() == 1 => {
                Value::Iterator(Box::new(crate::value::Sequence {
                    count: None,
                    item: crate::value::Item::Same(Box::new(one(0))),
                    stages: Vec::new(),
                    then: None,
                }))
            }
            [.., kind, name] if kind.starts_with("Array") => {
                self.new_grid(kind, name, path, arguments, at, expected)?
            }
            [.., "default"] => match expected {
                Some(kind) => self.data_of(&kind.clone(), at),
                None => Value::Unknown(Ty::unknown()),
            },
            _ => return None,
        })
    }

    /// The elements of a vector that is made empty.
    fn new_element(&mut self, path: &syn::Path, expected: Option<&Ty>, at: At) -> Arc<Ty> {
        let scope = self.scope.clone();
        let mut stated = path
            .segments
            .iter()
            .flat_map(|part| self.ctx.arguments(part, &scope, 0));
        if let Some(crate::types::Argument::Type(kind)) = stated.next() {
            return Arc::new(kind);
        }
        match expected.and_then(Ty::element) {
            Some(element) if !element.is_unknown() => element,
            _ => Arc::new(Ty::Hole(at.start as usize)),
        }
    }

    fn empty_vector(
        &mut self,
        element: &Arc<Ty>,
        capacity: Option<Expression>,
        at: At,
    ) -> Value<'a> {
        let slice = match capacity {
            Some(capacity) => self.allocated(element, capacity, at),
            None => self.unmeasured(element, at),
        };
        Value::Slice(Slice {
            length: build::integer(at, 0),
            ..slice
        })
    }

    fn raw_parts(&mut self, pointer: Value<'a>, length: Value<'a>, at: At) -> Option<Value<'a>> {
        let length = self.integer_of(length, at);
        let Value::Plain(pointer, kind) = pointer else {
            return None;
        };
        let Ty::Pointer(element) = self.solved(&kind) else {
            return None;
        };
        Some(Value::Slice(Slice {
            pointer,
            length,
            kind: Ty::Slice(element.clone()).pointer(),
            element,
        }))
    }

    /// A value that is not changed by what is stored to its place.
    fn copied_out(&mut self, value: Value<'a>) -> Value<'a> {
        let mut parts = Vec::new();
        value.parts(&mut parts);
        let kinds = self.part_kinds(&value);
        if matches!(value.kind(), Ty::Array(..)) {
            return value;
        }
        let mut own = Vec::new();
        for (part, (_, kind)) in parts.into_iter().zip(kinds) {
            let at = self.fresh_at(part.at);
            own.push(self.variable(at, "old", kind, part));
        }
        value.with_parts(&mut own.into_iter())
    }

    /// `std::mem::swap`
    fn swap_values(&mut self, a: Value<'a>, b: Value<'a>, at: At) -> Value<'a> {
        let (a, b) = (self.dereferenced(a, at), self.dereferenced(b, at));
        if let (Value::Plain(first, kind), Value::Plain(second, _)) = (&a, &b) {
            let kind = self.solved(kind);
            if matches!(kind, Ty::Array(..)) {
                return self.unsupported("an exchange of whole arrays", at);
            }
            self.exchange(first.clone(), second.clone(), &kind, at);
            return Value::Unit;
        }
        let first = self.copied_out(a.clone());
        let second = self.copied_out(b.clone());
        self.assign_parts(&a, &second, at);
        self.assign_parts(&b, &first, at);
        Value::Unit
    }

    /// `std::array::from_fn`
    fn array_of_calls(
        &mut self,
        closure: &Rc<crate::value::Closure<'a>>,
        expected: Option<&Ty>,
        at: At,
    ) -> Option<Value<'a>> {
        let Some(Ty::Array(element, length)) = expected else {
            return None;
        };
        let kind = Ty::Array(element.clone(), length.clone());
        let array = self.making("array", &kind, at);
        let item = crate::value::Item::Number {
            start: build::integer(at, 0),
            step: build::integer(at, 1),
            end: Some(length.expression()),
            kind: SIZE,
        };
        let sequence = crate::value::Sequence::counted(
            length.expression(),
            crate::value::Item::Mapped(Box::new(item), closure.clone()),
        );
        self.store_items(&array, element, &build::integer(at, 0), sequence, at);
        Some(Value::Plain(array, kind))
    }
}
