//! Iterators: what they go through, and what adaptors make of them.

use super::{Body, build};
use crate::types::Ty;
use crate::value::{Item, Sequence, Slice, Stage, Value};
use premiss_ast::syntax::{At, Binary, Expression};
use syn::Expr;

impl<'a> Body<'a, '_> {
    /// What `IntoIterator` makes of a value; `None` where nobody knows.
    pub(super) fn sequence(&mut self, value: Value<'a>, at: At) -> Option<Sequence<'a>> {
        match value {
            Value::Iterator(sequence) => Some(*sequence),
            Value::Alias(value) => self.sequence(*value, at),
            Value::Range(range) => Some(self.numbers(range, at)),
            Value::Grid(grid) => {
                let value = Value::Grid(grid);
                let slice = self.as_slice(value, at)?;
                Some(elements(slice))
            }
            Value::Slice(slice) => {
                let is_owned = matches!(slice.kind, Ty::Vec(_) | Ty::Box(_));
                Some(match is_owned {
                    true => loaded(elements(slice)),
                    false => elements(slice),
                })
            }
            Value::Maybe(is_some, inner) => Some(Sequence::counted(is_some, Item::Same(inner))),
            Value::Plain(place, kind) => {
                let kind = self.solved(&kind);
                let is_owned = matches!(kind, Ty::Array(..));
                let slice = self.as_slice(Value::Plain(place, kind), at)?;
                Some(match is_owned {
                    true => loaded(elements(slice)),
                    false => elements(slice),
                })
            }
            _ => None,
        }
    }

    fn numbers(&mut self, range: crate::value::Range, at: At) -> Sequence<'a> {
        let start = range.start.unwrap_or_else(|| build::integer(at, 0));
        let start = match &range.end {
            Some(_) => self.stable(start, "start"),
            None => start,
        };
        let end = range.end.map(|end| self.stable(end, "end"));
        let count = end.clone().map(|end| {
            let place = end.at;
            build::binary(place, Binary::Subtract, end, start.clone())
        });
        Sequence {
            count,
            item: Item::Number {
                start,
                step: build::integer(at, 1),
                end,
                kind: range.kind,
            },
            stages: Vec::new(),
            then: None,
        }
    }

    /// A method that makes an iterator of another; `None` where it does something else.
    pub(super) fn adaptor(
        &mut self,
        sequence: Sequence<'a>,
        name: &str,
        arguments: &[&'a Expr],
        at: At,
    ) -> Result<Value<'a>, Box<Sequence<'a>>> {
        let made = match (name, arguments) {
            (
                "iter" | "iter_mut" | "into_iter" | "by_ref" | "peekable" | "fuse"
                | "into_par_iter",
                [],
            ) => sequence,
            ("copied" | "cloned", []) => loaded(sequence),
            ("enumerate", []) => numbered(sequence),
            ("rev", []) => match reversed(sequence) {
                Some(sequence) => sequence,
                None => return Ok(self.unsupported("a filtered iterator backwards", at)),
            },
            ("skip" | "take" | "step_by", [by]) => {
                let by = self.integer(by);
                let by = self.stable(by, name);
                return Ok(match self.cut(sequence, name, by, at) {
                    Some(sequence) => Value::Iterator(Box::new(sequence)),
                    None => self.unsupported("a part of a filtered iterator", at),
                });
            }
            ("zip", [other]) => {
                let other_at = self.at(*other);
                let other = self.expression(other, None);
                let other = self.sequence(other, other_at);
                return Ok(match other.and_then(|other| zipped(sequence, other, at)) {
                    Some(sequence) => Value::Iterator(Box::new(sequence)),
                    None => self.unsupported("iterators side by side of which one is filtered", at),
                });
            }
            ("chain", [other]) => {
                let other_at = self.at(*other);
                let other = self.expression(other, None);
                match self.sequence(other, other_at) {
                    Some(other) => chained(sequence, other),
                    None => return Ok(self.unsupported("an iterator of unknown length", at)),
                }
            }
            ("flatten", []) => staged(sequence, Stage::FlatMap(None)),
            (
                "map" | "filter" | "filter_map" | "flat_map" | "take_while" | "skip_while"
                | "inspect" | "map_while",
                [closure],
            ) => return Ok(self.with_closure(sequence, name, closure, at)),
            _ => return Err(Box::new(sequence)),
        };
        Ok(Value::Iterator(Box::new(made)))
    }

    fn with_closure(
        &mut self,
        sequence: Sequence<'a>,
        name: &str,
        closure: &'a Expr,
        at: At,
    ) -> Value<'a> {
        let Value::Closure(closure) = self.expression(closure, None) else {
            return self.unsupported(format!("`{name}` with a function that is not here"), at);
        };
        let made = match name {
            "map" if sequence.is_indexed() => Sequence {
                item: Item::Mapped(Box::new(sequence.item), closure),
                ..sequence
            },
            "map" => staged(sequence, Stage::Map(closure)),
            "filter" => staged(sequence, Stage::Filter(closure)),
            "filter_map" => staged(sequence, Stage::FilterMap(closure)),
            "flat_map" => staged(sequence, Stage::FlatMap(Some(closure))),
            "inspect" => staged(sequence, Stage::Inspect(closure)),
            "take_while" => staged(sequence, Stage::TakeWhile(closure)),
            "skip_while" => staged(sequence, Stage::SkipWhile),
            _ => return self.unsupported(format!("`{name}`"), at),
        };
        Value::Iterator(Box::new(made))
    }

    /// `skip`, `take` and `step_by`.
    fn cut(
        &mut self,
        sequence: Sequence<'a>,
        name: &str,
        by: Expression,
        at: At,
    ) -> Option<Sequence<'a>> {
        if !sequence.is_indexed() {
            return None;
        }
        let count = sequence.count;
        let (count, item) = match (name, sequence.item) {
            ("take", item) => {
                let count = match count {
                    Some(count) => build::least(at, count, by),
                    None => by,
                };
                (Some(count), without_end(item))
            }
            (
                "skip",
                Item::Number {
                    start,
                    step,
                    end,
                    kind,
                },
            ) => {
                let distance = build::binary(at, Binary::Multiply, by.clone(), step.clone());
                let start = build::binary(at, Binary::Add, start, distance);
                let count = count.map(|count| build::binary(at, Binary::Subtract, count, by));
                let item = Item::Number {
                    start,
                    step,
                    end,
                    kind,
                };
                (count, item)
            }
            ("skip", item) => {
                let count =
                    count.map(|count| build::binary(at, Binary::Subtract, count, by.clone()));
                (count, Item::Skipped(Box::new(item), by))
            }
            (
                _,
                Item::Number {
                    start,
                    step,
                    end,
                    kind,
                },
            ) => {
                let count = count.map(|count| rounded_up(at, count, by.clone()));
                let step = build::binary(at, Binary::Multiply, step, by);
                let item = Item::Number {
                    start,
                    step,
                    end,
                    kind,
                };
                (count, item)
            }
            (_, item) => {
                let count = count.map(|count| rounded_up(at, count, by.clone()));
                (count, Item::Stepped(Box::new(item), by))
            }
        };
        Some(Sequence {
            count,
            item,
            stages: Vec::new(),
            then: None,
        })
    }

    /// The parts of a slice that `chunks`, `windows` and the like yield.
    pub(super) fn slices(
        &mut self,
        slice: Slice,
        name: &str,
        size: Expression,
        at: At,
    ) -> Sequence<'a> {
        let size = self.stable(size, "size");
        let length = slice.length.clone();
        let (count, step, bound) = match name {
            "windows" => {
                let left = build::binary(at, Binary::Subtract, length, size.clone());
                let count = build::binary(at, Binary::Add, left, build::integer(at, 1));
                (count, build::integer(at, 1), None)
            }
            "chunks_exact" | "chunks_exact_mut" => {
                let count = build::binary(at, Binary::Divide, length, size.clone());
                (count, size.clone(), None)
            }
            _ => {
                let length = self.stable(length, "length");
                let count = rounded_up(at, length.clone(), size.clone());
                (count, size.clone(), Some(length))
            }
        };
        Sequence::counted(
            count,
            Item::Part {
                pointer: slice.pointer,
                element: slice.element,
                step,
                size,
                length: bound,
            },
        )
    }
}

/// References to the elements of a slice.
pub(super) fn elements<'a>(slice: Slice) -> Sequence<'a> {
    Sequence::counted(
        slice.length,
        Item::Element {
            pointer: slice.pointer,
            element: slice.element,
        },
    )
}

/// What the items are references to.
pub(super) fn loaded(sequence: Sequence) -> Sequence {
    match sequence.is_indexed() {
        true => Sequence {
            item: Item::Loaded(Box::new(sequence.item)),
            ..sequence
        },
        false => staged(sequence, Stage::Loaded),
    }
}

pub(super) fn numbered(sequence: Sequence) -> Sequence {
    match sequence.is_indexed() {
        true => Sequence {
            item: Item::Numbered(Box::new(without_end(sequence.item))),
            ..sequence
        },
        false => staged(sequence, Stage::Numbered),
    }
}

fn reversed(sequence: Sequence) -> Option<Sequence> {
    match (&sequence.count, sequence.then.is_none()) {
        (Some(count), true) => {
            let item = Item::Reversed(Box::new(sequence.item), count.clone());
            // What is done with an item does not depend on its number.
            Some(Sequence { item, ..sequence })
        }
        _ => None,
    }
}

fn zipped<'a>(a: Sequence<'a>, b: Sequence<'a>, at: At) -> Option<Sequence<'a>> {
    if !a.is_indexed() || !b.is_indexed() {
        return None;
    }
    let count = match (a.count, b.count) {
        (Some(a), Some(b)) if crate::types::text_of(&a) == crate::types::text_of(&b) => Some(a),
        (Some(a), Some(b)) => Some(build::least(at, a, b)),
        (a, b) => a.or(b),
    };
    Some(Sequence {
        count,
        item: Item::Pair(Box::new(a.item), Box::new(b.item)),
        stages: Vec::new(),
        then: None,
    })
}

fn chained<'a>(mut first: Sequence<'a>, then: Sequence<'a>) -> Sequence<'a> {
    first.then = Some(Box::new(match first.then.take() {
        Some(next) => chained(*next, then),
        None => then,
    }));
    first
}

pub(super) fn staged<'a>(mut sequence: Sequence<'a>, stage: Stage<'a>) -> Sequence<'a> {
    if let Some(then) = sequence.then.take() {
        sequence.then = Some(Box::new(staged(*then, stage.clone())));
    }
    sequence.stages.push(stage);
    sequence
}

/// The number of an item says where it ends from now on.
fn without_end(item: Item) -> Item {
    match item {
        Item::Number {
            start, step, kind, ..
        } => Item::Number {
            start,
            step,
            end: None,
            kind,
        },
        other => other,
    }
}

/// How many steps of a size there are in so many.
pub(super) fn rounded_up(at: At, count: Expression, size: Expression) -> Expression {
    let less = build::binary(at, Binary::Subtract, size.clone(), build::integer(at, 1));
    let most = build::binary(at, Binary::Add, count, less);
    build::binary(at, Binary::Divide, most, size)
}
