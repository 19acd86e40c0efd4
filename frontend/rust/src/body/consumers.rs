//! What goes through all items of an iterator.

use super::drive::Named;
use super::methods::Method;
use super::{Body, build};
use crate::types::Ty;
use crate::value::{Closure, Item, Sequence, Slice, Value};
use premiss_ast::syntax::{At, Binary, Expression, ExpressionKind as Kind, StatementKind};
use std::sync::Arc;
use syn::Expr;

impl<'a, 'c> Body<'a, 'c> {
    pub(super) fn iterator_method(
        &mut self,
        sequence: Sequence<'a>,
        method: &Method<'a, '_>,
    ) -> Value<'a> {
        let at = method.at;
        let sequence = match self.adaptor(sequence, method.name, &method.arguments, at) {
            Ok(value) => return value,
            Err(sequence) => *sequence,
        };
        match (method.name, method.arguments.as_slice()) {
            ("sum" | "product", []) => self.total(sequence, method),
            ("count", []) => self.count(sequence, at),
            ("len", []) => match (sequence.is_indexed(), sequence.count) {
                (true, Some(count)) => Value::size(count),
                _ => Value::size(self.data(at)),
            },
            ("fold", [start, closure]) => self.fold(sequence, start, closure, at),
            ("reduce", [closure]) => self.reduce(sequence, closure, at),
            ("for_each" | "try_for_each", [closure]) => {
                let closure = self.expression(closure, None);
                self.for_each(sequence, closure, at)
            }
            (name @ ("min_by" | "max_by"), [closure]) => {
                self.extreme_by(sequence, name, closure, at)
            }
            (name @ ("min" | "max" | "min_by_key" | "max_by_key" | "last"), rest) => {
                self.extreme(sequence, name, rest.first().copied(), at)
            }
            ("any" | "all" | "find" | "position" | "find_map" | "rposition", [closure]) => {
                let closure = self.expression(closure, None);
                self.search(sequence, method.name, closure, at)
            }
            ("nth", [number]) => {
                let number = self.integer(number);
                self.nth(sequence, number, at)
            }
            ("collect" | "to_vec", []) => self.collect(sequence, method),
            ("remainder" | "into_remainder", []) => Value::Unknown(Ty::unknown()),
            (name, _) => self.unsupported(format!("`{name}` of an iterator"), at),
        }
    }

    fn nth(&mut self, sequence: Sequence<'a>, number: Expression, at: At) -> Value<'a> {
        match (sequence.is_indexed(), sequence.count) {
            (true, Some(count)) => {
                let number = self.stable(number, "number");
                let is_some = build::binary(at, Binary::Less, number.clone(), count);
                let value = self.item(&sequence.item, number, at);
                Value::Maybe(is_some, Box::new(value))
            }
            _ => self.unsupported("`nth` of a filtered iterator", at),
        }
    }

    /// The names of the items, after the first closure that takes them.
    fn names(sequence: &Sequence<'a>, last: Option<&Closure<'a>>) -> Named {
        fn first<'i, 'a>(item: &'i Item<'a>) -> Option<&'i Closure<'a>> {
            match item {
                Item::Mapped(inner, closure) => first(inner).or(Some(closure)),
                Item::Reversed(inner, _) | Item::Skipped(inner, _) | Item::Stepped(inner, _) => {
                    first(inner)
                }
                _ => None,
            }
        }
        use crate::value::Stage;
        let staged = sequence.stages.first().and_then(|stage| match stage {
            Stage::Map(closure)
            | Stage::Filter(closure)
            | Stage::FilterMap(closure)
            | Stage::FlatMap(Some(closure)) => Some(&**closure),
            _ => None,
        });
        Named::of_closure(first(&sequence.item).or(staged).or(last))
    }

    fn total(&mut self, sequence: Sequence<'a>, method: &Method<'a, '_>) -> Value<'a> {
        let at = method.at;
        let expected = method.expected.clone().filter(Ty::is_scalar);
        let is_integer = expected.as_ref().is_some_and(Ty::is_integer);
        let start = i64::from(method.name == "product");
        let total = self.new_name("total");
        self.changing.insert(total.clone());
        let place = self.fresh_at(at);
        let (kind, first) = match is_integer {
            true => (build::wide(), build::integer(at, start)),
            false => (
                premiss_ast::syntax::TypeName::Floating(4),
                build::floating(at, 0.0, 4),
            ),
        };
        self.emit(build::declaration(place, &total, kind, Some(first)));
        let total = build::name(at, &total);
        let operator = match method.name {
            "product" => Binary::Multiply,
            _ => Binary::Add,
        };
        let mut found = expected;
        let names = Self::names(&sequence, None);
        self.drive(sequence, at, &names, &mut |body, item| {
            let item = body.peeled(item, at);
            match item {
                Value::Plain(value, kind) if body.solved(&kind).is_scalar() => {
                    let value = body.loaded(value, &kind);
                    found.get_or_insert(kind);
                    let change =
                        Kind::Assign(Some(operator), Box::new(total.clone()), Box::new(value));
                    body.emit(build::evaluated(Expression::new(at, change)));
                }
                other => body.read_whole(&other, at),
            }
        });
        let kind = found.unwrap_or_else(Ty::unknown);
        match kind.is_integer() && !is_integer {
            true => Value::Plain(self.data(at), kind),
            false => Value::Plain(total, kind),
        }
    }

    fn count(&mut self, sequence: Sequence<'a>, at: At) -> Value<'a> {
        if let (true, Some(count)) = (sequence.is_indexed(), &sequence.count) {
            return Value::size(count.clone());
        }
        let names = Self::names(&sequence, None);
        self.drive(sequence, at, &names, &mut |body, item| {
            body.evaluate(item);
        });
        Value::size(self.data(at))
    }

    fn fold(
        &mut self,
        sequence: Sequence<'a>,
        start: &'a Expr,
        closure: &'a Expr,
        at: At,
    ) -> Value<'a> {
        let start = self.expression(start, None);
        let start = self.weakened(start, at);
        let Value::Closure(closure) = self.expression(closure, None) else {
            return self.unsupported("`fold` with a function that is not here", at);
        };
        let slot = self.slot_for(&start, "folded", at);
        self.assign_parts(&slot, &start, at);
        let names = Named::nothing();
        self.drive(sequence, at, &names, &mut |body, item| {
            let value = body.inline(&closure, vec![slot.clone(), item], at);
            let value = match &slot {
                Value::Plain(_, kind) if body.solved(kind).is_scalar() => body.peeled(value, at),
                _ => value,
            };
            body.assign_to(slot.clone(), value, at);
        });
        slot
    }

    fn reduce(&mut self, sequence: Sequence<'a>, closure: &'a Expr, at: At) -> Value<'a> {
        let Value::Closure(closure) = self.expression(closure, None) else {
            return self.unsupported("`reduce` with a function that is not here", at);
        };
        let found = self.compared(sequence, at, "reduce", &mut |body, before, item| {
            let value = body.inline(&closure, vec![before, item], at);
            body.evaluate(value);
        });
        Value::Maybe(self.data(at), Box::new(found))
    }

    /// Goes through items, each but the first together with one of those before it: which one is data.
    fn compared(
        &mut self,
        sequence: Sequence<'a>,
        at: At,
        name: &str,
        each: &mut dyn FnMut(&mut Body<'a, 'c>, Value<'a>, Value<'a>),
    ) -> Value<'a> {
        let names = Self::names(&sequence, None);
        let some = self.some_item(&sequence.item, at);
        let some = some.filter(|_| sequence.is_indexed());
        let mut found = None;
        let sequence = super::chains::numbered(sequence);
        self.drive(sequence, at, &names, &mut |body, item| {
            let Value::Tuple(pair) = item else { return };
            let [Value::Plain(number, _), item] = pair.as_slice() else {
                return;
            };
            let item = body.held(item.clone(), "item");
            let Some(before) = body.one_like(&item, some.as_ref(), at) else {
                body.unsupported(format!("`{name}` of what is no number and no element"), at);
                return;
            };
            found = Some(before.clone());
            let is_second = build::binary(at, Binary::Less, build::integer(at, 0), number.clone());
            let (list, ()) = body.aside(|body| each(body, before, item));
            body.emit_if(is_second, list, Vec::new(), at);
        });
        found.unwrap_or_else(|| Value::Unknown(Ty::unknown()))
    }

    /// Some item where items are references to elements: which one is data.
    fn some_item(&mut self, item: &Item<'a>, at: At) -> Option<Value<'a>> {
        fn is_reference(item: &Item) -> bool {
            match item {
                Item::Element { .. } | Item::Number { .. } => true,
                Item::Numbered(inner)
                | Item::Reversed(inner, _)
                | Item::Skipped(inner, _)
                | Item::Stepped(inner, _) => is_reference(inner),
                Item::Pair(a, b) => is_reference(a) && is_reference(b),
                _ => false,
            }
        }
        is_reference(item).then(|| self.item(item, build::data(at, build::wide()), at))
    }

    /// Another value of the kind that an item has, of which no more is known.
    fn one_like(
        &mut self,
        item: &Value<'a>,
        some: Option<&Value<'a>>,
        at: At,
    ) -> Option<Value<'a>> {
        match item {
            _ if some.is_some() => some.cloned(),
            Value::Plain(_, kind) if self.solved(kind).is_scalar() => {
                Some(self.data_of(&kind.clone(), at))
            }
            Value::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.one_like(part, None, at));
                Some(Value::Tuple(parts.collect::<Option<_>>()?))
            }
            _ => None,
        }
    }

    fn for_each(&mut self, sequence: Sequence<'a>, closure: Value<'a>, at: At) -> Value<'a> {
        let Value::Closure(closure) = closure else {
            return self.unsupported("`for_each` with a function that is not here", at);
        };
        let names = Self::names(&sequence, Some(&closure));
        self.drive(sequence, at, &names, &mut |body, item| {
            let value = body.inline(&closure, vec![item], at);
            body.evaluate(value);
        });
        Value::Unit
    }

    /// The least or greatest item by what a closure says of two of them.
    fn extreme_by(
        &mut self,
        sequence: Sequence<'a>,
        name: &str,
        closure: &'a Expr,
        at: At,
    ) -> Value<'a> {
        let Value::Closure(closure) = self.expression(closure, None) else {
            return self.unsupported(format!("`{name}` with a function that is not here"), at);
        };
        let found = self.compared(sequence, at, name, &mut |body, before, item| {
            let before = body.reference_to(before, at);
            let item = body.reference_to(item, at);
            let value = body.inline(&closure, vec![before, item], at);
            body.evaluate(value);
        });
        Value::Maybe(self.data(at), Box::new(found))
    }

    /// The least or greatest item, or the last: each is looked at once, and which it is is data.
    fn extreme(
        &mut self,
        sequence: Sequence<'a>,
        name: &str,
        key: Option<&'a Expr>,
        at: At,
    ) -> Value<'a> {
        let key = match key.map(|key| self.expression(key, None)) {
            Some(Value::Closure(key)) => Some(key),
            Some(_) => {
                return self.unsupported(format!("`{name}` with a function that is not here"), at);
            }
            None => None,
        };
        let names = Self::names(&sequence, key.as_deref());
        let some = self.some_item(&sequence.item, at);
        let some = some.filter(|_| sequence.is_indexed());
        let mut found = None;
        self.drive(sequence, at, &names, &mut |body, item| {
            let item = body.held(item, "item");
            found = body.one_like(&item, some.as_ref(), at);
            let value = match &key {
                Some(key) => {
                    let seen = body.reference_to(item, at);
                    body.inline(key, vec![seen], at)
                }
                None => item,
            };
            let value = body.peeled(value, at);
            body.evaluate(value);
        });
        let value = found.unwrap_or_else(|| Value::Unknown(Ty::unknown()));
        Value::Maybe(self.data(at), Box::new(value))
    }

    /// Goes through items until one is found.
    fn search(
        &mut self,
        sequence: Sequence<'a>,
        name: &str,
        closure: Value<'a>,
        at: At,
    ) -> Value<'a> {
        let Value::Closure(closure) = closure else {
            return self.unsupported(format!("`{name}` with a function that is not here"), at);
        };
        let names = Self::names(&sequence, Some(&closure));
        let mut kind = Ty::unknown();
        self.drive(sequence, at, &names, &mut |body, item| {
            kind = body.solved(&item.kind());
            let seen = match name {
                "find" => body.reference_to(item, at),
                _ => item,
            };
            let truth = body.inline(&closure, vec![seen], at);
            let truth = match name {
                "find_map" => body.is_some(&truth, at, 1),
                _ => body.integer_of(truth, at),
            };
            let truth = match name {
                "all" => build::unary(at, premiss_ast::syntax::Unary::Not, truth),
                _ => truth,
            };
            let jump = build::statement(at, StatementKind::Break);
            body.emit_if(truth, vec![jump], Vec::new(), at);
        });
        match name {
            "any" | "all" => Value::Plain(self.data(at), Ty::Bool),
            "position" | "rposition" => {
                let place = Value::size(self.data(at));
                Value::Maybe(self.data(at), Box::new(place))
            }
            _ => {
                let value = self.data_of(&kind, at);
                Value::Maybe(self.data(at), Box::new(value))
            }
        }
    }

    fn collect(&mut self, sequence: Sequence<'a>, method: &Method<'a, '_>) -> Value<'a> {
        let at = method.at;
        let is_vector = match &method.expected {
            Some(Ty::Vec(_) | Ty::Box(_)) | None => true,
            Some(kind) => kind.is_unknown() && !matches!(kind, Ty::Unknown(name) if &**name != "_"),
        };
        if !is_vector {
            let names = Self::names(&sequence, None);
            self.drive(sequence, at, &names, &mut |body, item| {
                body.evaluate(item);
            });
            return self.unsupported("`collect` into something that is no vector", at);
        }
        let wanted = self.wanted.take();
        let element = match method.expected.as_ref().and_then(Ty::element) {
            Some(element) if !element.is_unknown() => element,
            _ => Arc::new(Ty::Hole(at.start as usize)),
        };
        let count = match sequence.is_indexed() {
            true => sequence.count.clone(),
            false => None,
        };
        let count = match count {
            Some(count) => self.stable(count, "count"),
            None => self.data(at),
        };
        self.wanted = wanted;
        let slice: Slice = self.allocated(&element, count, at);
        let first = build::integer(at, 0);
        self.store_items(&slice.pointer, &element, &first, sequence, at);
        Value::Slice(slice)
    }

    /// Methods of ranges.
    pub(super) fn range_method(
        &mut self,
        range: crate::value::Range,
        method: &Method<'a, '_>,
    ) -> Value<'a> {
        let at = method.at;
        match (method.name, method.arguments.as_slice()) {
            ("contains", [value]) => {
                let value = self.integer(value);
                let value = self.stable(value, "value");
                let start = range
                    .start
                    .map(|start| build::binary(at, Binary::GreaterEqual, value.clone(), start));
                let end = range
                    .end
                    .map(|end| build::binary(at, Binary::Less, value, end));
                let truth = match (start, end) {
                    (Some(a), Some(b)) => build::and(at, a, b),
                    (a, b) => a.or(b).unwrap_or_else(|| build::integer(at, 1)),
                };
                Value::Plain(truth, Ty::Bool)
            }
            ("clone", []) => Value::Range(range),
            ("is_empty", []) => Value::Plain(self.data(at), Ty::Bool),
            _ => match self.sequence(Value::Range(range), at) {
                Some(sequence) => self.iterator_method(sequence, method),
                None => Value::Unknown(Ty::unknown()),
            },
        }
    }
}
