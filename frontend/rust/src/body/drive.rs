//! Iterators as the loops that they are.

use super::loops::Head;
use super::{Body, build};
use crate::types::{Ty, text_of};
use crate::value::{Item, Sequence, Slice, Stage, Value};
use premiss_ast::syntax::{At, Binary, Expression, ExpressionKind as Kind, StatementKind, Unary};
use syn::Pat;

/// How the items of an iterator are called.
pub(super) struct Named {
    /// The name of an item, or of its number.
    name: Option<String>,
    /// The name of the first of a pair.
    first: Option<String>,
}

impl Named {
    /// The names in a pattern. What may change is no name for a number that counts.
    pub(super) fn of(pattern: &Pat) -> Self {
        let name = |pattern: &Pat| match pattern {
            Pat::Ident(ident) if ident.mutability.is_none() && ident.by_ref.is_none() => {
                Some(ident.ident.to_string())
            }
            _ => None,
        };
        match pattern {
            Pat::Tuple(tuple) => Self {
                name: None,
                first: tuple.elems.first().and_then(name),
            },
            pattern => Self {
                name: name(pattern),
                first: None,
            },
        }
    }

    /// The names of what a closure takes.
    pub(super) fn of_closure(closure: Option<&crate::value::Closure>) -> Self {
        match closure.map(|closure| closure.syntax) {
            Some(crate::value::Code::Closure(closure)) => match closure.inputs.first() {
                Some(Pat::Type(typed)) => Self::of(&typed.pat),
                Some(pattern) => Self::of(pattern),
                None => Self::nothing(),
            },
            _ => Self::nothing(),
        }
    }

    /// No names.
    pub(super) fn nothing() -> Self {
        Self {
            name: None,
            first: None,
        }
    }
}

impl<'a, 'c> Body<'a, 'c> {
    /// Makes the loop over a sequence, with what is done with each item.
    pub(super) fn drive(
        &mut self,
        sequence: Sequence<'a>,
        header: At,
        names: &Named,
        each: &mut dyn FnMut(&mut Body<'a, 'c>, Value<'a>),
    ) {
        let Sequence {
            count,
            item,
            stages,
            then,
        } = sequence;
        match (&item, count) {
            (Item::Number { .. }, count) => {
                self.drive_numbers(&item, count, &stages, header, names, each);
            }
            (Item::Reversed(inner, _), Some(count)) if matches!(**inner, Item::Number { ref step, .. } if build::as_integer(step) == Some(1)) =>
            {
                self.drive_down(inner, count, &stages, header, names, each);
            }
            (_, count) => self.drive_counted(item, count, &stages, header, names, each),
        }
        if let Some(then) = then {
            // The body stands there twice.
            let copy = self.copy;
            if let Some(other) = self.ctx.grounds[self.unit].copy() {
                self.copy = other;
                self.drive(*then, header, names, each);
            } else {
                self.unsupported("a chain of so many iterators", header);
            }
            self.copy = copy;
        }
    }

    fn drive_numbers(
        &mut self,
        item: &Item<'a>,
        count: Option<Expression>,
        stages: &[Stage<'a>],
        header: At,
        names: &Named,
        each: &mut dyn FnMut(&mut Body<'a, 'c>, Value<'a>),
    ) {
        let Item::Number {
            start,
            step,
            end,
            kind,
        } = item
        else {
            return;
        };
        let start = self.stable(start.clone(), "start");
        let step = self.stable(step.clone(), "step");
        let known = end.clone();
        let end = known.or_else(|| count.map(|count| end_of(&start, &step, count)));
        let end = end.map(|end| self.stable(end, "end"));
        let iterator = self.new_name(names.name.as_deref().unwrap_or("i@"));
        let at = start.at;
        let name = build::name(at, &iterator);
        let condition = end.map(|end| {
            let place = end.at;
            build::binary(place, Binary::Less, name.clone(), end)
        });
        let step = add_to(header, name.clone(), step);
        self.made.insert(iterator.clone());
        let list = self.iteration(stages, Value::Plain(name, kind.clone()), header, each);
        let head = Head {
            at: header,
            iterator,
            first: start,
            condition,
            step,
        };
        self.emit_loop(head, list);
    }

    fn drive_down(
        &mut self,
        inner: &Item<'a>,
        count: Expression,
        stages: &[Stage<'a>],
        header: At,
        names: &Named,
        each: &mut dyn FnMut(&mut Body<'a, 'c>, Value<'a>),
    ) {
        let Item::Number {
            start, step, kind, ..
        } = inner
        else {
            return;
        };
        let start = self.stable(start.clone(), "start");
        let end = end_of(&start, step, count);
        let end = self.stable(end, "end");
        let at = end.at;
        let first = build::binary(at, Binary::Subtract, end, build::integer(at, 1));
        let iterator = self.new_name(names.name.as_deref().unwrap_or("i@"));
        let name = build::name(header, &iterator);
        let place = start.at;
        let condition = build::binary(place, Binary::GreaterEqual, name.clone(), start);
        let step = Kind::Increment {
            by: -1,
            is_prefix: false,
            operand: Box::new(name.clone()),
        };
        let step = Expression::new(header, step);
        self.made.insert(iterator.clone());
        let list = self.iteration(stages, Value::Plain(name, kind.clone()), header, each);
        let head = Head {
            at: header,
            iterator,
            first,
            condition: Some(condition),
            step,
        };
        self.emit_loop(head, list);
    }

    /// A loop whose iterator is the number of the item.
    fn drive_counted(
        &mut self,
        item: Item<'a>,
        count: Option<Expression>,
        stages: &[Stage<'a>],
        header: At,
        names: &Named,
        each: &mut dyn FnMut(&mut Body<'a, 'c>, Value<'a>),
    ) {
        let item = self.stable_item(item);
        let count = count.map(|count| self.stable(count, "count"));
        let wanted = match (&item, &names.first, &names.name) {
            (Item::Numbered(_), Some(name), _) => name.clone(),
            (_, Some(name), _) | (_, None, Some(name)) => format!("{name}@"),
            _ => "i@".to_owned(),
        };
        let iterator = self.new_name(&wanted);
        let name = build::name(header, &iterator);
        let condition = count.map(|count| {
            let place = count.at;
            build::binary(place, Binary::Less, name.clone(), count)
        });
        let step = add_to(header, name.clone(), build::integer(header, 1));
        self.made.insert(iterator.clone());
        self.n_loops += 1;
        let (mut list, ()) = self.aside(|body| {
            let value = body.item(&item, name, header);
            body.staged(stages, value, header, each);
        });
        self.n_loops -= 1;
        self.end_iteration(&mut list, header);
        self.made.remove(&iterator);
        let first = build::integer(header, 0);
        let head = Head {
            at: header,
            iterator,
            first,
            condition,
            step,
        };
        self.emit_loop(head, list);
    }

    fn emit_loop(&mut self, head: Head, list: Vec<premiss_ast::syntax::Statement>) {
        // Nobody behind the loop sees the name of its iterator.
        self.made.remove(&head.iterator);
        self.take_declarations();
        let iterator = head.iterator.clone();
        self.emit_for(head, list);
        if let Some(block) = self.taken.last_mut() {
            block.remove(&iterator);
        }
    }

    fn iteration(
        &mut self,
        stages: &[Stage<'a>],
        value: Value<'a>,
        header: At,
        each: &mut dyn FnMut(&mut Body<'a, 'c>, Value<'a>),
    ) -> Vec<premiss_ast::syntax::Statement> {
        self.n_loops += 1;
        let (mut list, ()) = self.aside(|body| body.staged(stages, value, header, each));
        self.n_loops -= 1;
        self.end_iteration(&mut list, header);
        list
    }

    /// Passes an item through stages.
    fn staged(
        &mut self,
        stages: &[Stage<'a>],
        value: Value<'a>,
        at: At,
        each: &mut dyn FnMut(&mut Body<'a, 'c>, Value<'a>),
    ) {
        let Some((stage, rest)) = stages.split_first() else {
            return each(self, value);
        };
        match stage {
            Stage::Map(closure) => {
                let value = self.inline(closure, vec![value], at);
                self.staged(rest, value, at, each);
            }
            Stage::Loaded => {
                let value = self.dereferenced(value, at);
                self.staged(rest, value, at, each);
            }
            Stage::Inspect(closure) => {
                let value = self.held(value, "item");
                let seen = self.reference_to(value.clone(), at);
                self.inline(closure, vec![seen], at);
                self.staged(rest, value, at, each);
            }
            Stage::Filter(closure) => {
                let value = self.held(value, "item");
                let seen = self.reference_to(value.clone(), at);
                let truth = self.inline(closure, vec![seen], at);
                let truth = self.integer_of(truth, at);
                self.where_it_holds(truth, rest, value, at, each);
            }
            Stage::FilterMap(closure) => {
                let found = self.inline(closure, vec![value], at);
                let found = self.held(found, "item");
                let truth = self.is_some(&found, at, 1);
                let value = self.contained(found);
                self.where_it_holds(truth, rest, value, at, each);
            }
            Stage::SkipWhile => {
                let value = self.held(value, "item");
                let truth = self.data(at);
                self.where_it_holds(truth, rest, value, at, each);
            }
            Stage::Numbered => {
                let number = Value::size(self.data(at));
                self.staged(rest, Value::Tuple(vec![number, value]), at, each);
            }
            Stage::TakeWhile(closure) => {
                let value = self.held(value, "item");
                let seen = self.reference_to(value.clone(), at);
                let truth = self.inline(closure, vec![seen], at);
                let truth = self.integer_of(truth, at);
                let is_over = build::unary(at, Unary::Not, truth);
                let jump = build::statement(at, StatementKind::Break);
                self.emit_if(is_over, vec![jump], Vec::new(), at);
                self.staged(rest, value, at, each);
            }
            Stage::FlatMap(closure) => {
                let inner = match closure {
                    Some(closure) => self.inline(closure, vec![value], at),
                    None => value,
                };
                match self.sequence(inner, at) {
                    Some(mut inner) => {
                        inner.stages.extend(rest.iter().cloned());
                        self.drive(inner, at, &Named::nothing(), each);
                    }
                    None => {
                        self.unsupported("an iterator over something of unknown length", at);
                    }
                }
            }
        }
    }

    fn where_it_holds(
        &mut self,
        truth: Expression,
        stages: &[Stage<'a>],
        value: Value<'a>,
        at: At,
        each: &mut dyn FnMut(&mut Body<'a, 'c>, Value<'a>),
    ) {
        let (list, ()) = self.aside(|body| body.staged(stages, value, at, each));
        self.emit_if(truth, list, Vec::new(), at);
    }

    /// The item of a number.
    pub(super) fn item(&mut self, item: &Item<'a>, number: Expression, at: At) -> Value<'a> {
        match item {
            Item::Number {
                start, step, kind, ..
            } => {
                let distance = build::binary(at, Binary::Multiply, number, step.clone());
                let value = build::binary(at, Binary::Add, start.clone(), distance);
                Value::Plain(value, kind.clone())
            }
            Item::Element { pointer, element } => {
                let place = build::index(at, pointer.clone(), number);
                let place = self.value_at(place, element);
                self.reference_to(place, at)
            }
            Item::Part {
                pointer,
                element,
                step,
                size,
                length,
            } => {
                let start = build::binary(at, Binary::Multiply, number, step.clone());
                let size = match length {
                    Some(length) => {
                        let left =
                            build::binary(at, Binary::Subtract, length.clone(), start.clone());
                        build::least(at, size.clone(), left)
                    }
                    None => size.clone(),
                };
                let first = build::index(at, pointer.clone(), start);
                Value::Slice(Slice {
                    pointer: build::address(at, first),
                    length: size,
                    kind: Ty::Slice(element.clone()).pointer(),
                    element: element.clone(),
                })
            }
            Item::Lane(grid) => super::grids::cut(grid, 0, number, at),
            Item::Loaded(inner) => {
                let value = self.item(inner, number, at);
                self.dereferenced(value, at)
            }
            Item::Numbered(inner) => {
                let first = Value::size(number.clone());
                let (first, second) = self.in_order(first, |body| body.item(inner, number, at));
                Value::Tuple(vec![first, second])
            }
            Item::Pair(a, b) => {
                let first = self.item(a, number.clone(), at);
                let (first, second) = self.in_order(first, |body| body.item(b, number, at));
                Value::Tuple(vec![first, second])
            }
            Item::Mapped(inner, closure) => {
                let value = self.item(inner, number, at);
                self.inline(closure, vec![value], at)
            }
            Item::Reversed(inner, count) => {
                let last =
                    build::binary(at, Binary::Subtract, count.clone(), build::integer(at, 1));
                let number = build::binary(at, Binary::Subtract, last, number);
                self.item(inner, number, at)
            }
            Item::Skipped(inner, by) => {
                let number = build::binary(at, Binary::Add, number, by.clone());
                self.item(inner, number, at)
            }
            Item::Stepped(inner, by) => {
                let number = build::binary(at, Binary::Multiply, number, by.clone());
                self.item(inner, number, at)
            }
            Item::Same(value) => (**value).clone(),
        }
    }

    /// An item whose expressions keep what they are while the loop runs.
    fn stable_item(&mut self, item: Item<'a>) -> Item<'a> {
        match item {
            Item::Number {
                start,
                step,
                end,
                kind,
            } => Item::Number {
                start: self.stable(start, "start"),
                step: self.stable(step, "step"),
                end,
                kind,
            },
            Item::Element { pointer, element } => Item::Element {
                pointer: self.stable_pointer(pointer, &element),
                element,
            },
            Item::Part {
                pointer,
                element,
                step,
                size,
                length,
            } => Item::Part {
                pointer: self.stable_pointer(pointer, &element),
                step: self.stable(step, "step"),
                size: self.stable(size, "size"),
                length: length.map(|length| self.stable(length, "length")),
                element,
            },
            Item::Lane(grid) => Item::Lane(grid),
            Item::Loaded(inner) => Item::Loaded(Box::new(self.stable_item(*inner))),
            Item::Numbered(inner) => Item::Numbered(Box::new(self.stable_item(*inner))),
            Item::Pair(a, b) => {
                let a = self.stable_item(*a);
                Item::Pair(Box::new(a), Box::new(self.stable_item(*b)))
            }
            Item::Mapped(inner, closure) => {
                Item::Mapped(Box::new(self.stable_item(*inner)), closure)
            }
            Item::Reversed(inner, count) => {
                let count = self.stable(count, "count");
                Item::Reversed(Box::new(self.stable_item(*inner)), count)
            }
            Item::Skipped(inner, by) => {
                let by = self.stable(by, "skipped");
                Item::Skipped(Box::new(self.stable_item(*inner)), by)
            }
            Item::Stepped(inner, by) => {
                let by = self.stable(by, "step");
                Item::Stepped(Box::new(self.stable_item(*inner)), by)
            }
            Item::Same(value) => Item::Same(Box::new(self.held(*value, "same"))),
        }
    }

    /// A pointer in a form that keeps its value.
    pub(super) fn stable_pointer(&mut self, pointer: Expression, element: &Ty) -> Expression {
        if self.is_stable(&pointer) || matches!(pointer.kind, Kind::Text(_)) {
            return pointer;
        }
        let kind = self.solved(element).pointer();
        let memory = self.memory(&kind);
        let at = pointer.at;
        self.variable(at, "elements", memory, pointer)
    }
}

fn add_to(at: At, name: Expression, step: Expression) -> Expression {
    let kind = match build::as_integer(&step) {
        Some(by) => Kind::Increment {
            by,
            is_prefix: false,
            operand: Box::new(name),
        },
        None => Kind::Assign(Some(Binary::Add), Box::new(name), Box::new(step)),
    };
    Expression::new(at, kind)
}

/// The number that comes behind the last one: `n` for `n - m` steps of one from `m`.
fn end_of(start: &Expression, step: &Expression, count: Expression) -> Expression {
    if let (Kind::Binary(Binary::Subtract, end, from), Some(1)) =
        (&count.kind, build::as_integer(step))
        && text_of(from) == text_of(start)
    {
        return (**end).clone();
    }
    let at = count.at;
    let distance = build::binary(at, Binary::Multiply, count, step.clone());
    build::binary(at, Binary::Add, start.clone(), distance)
}
