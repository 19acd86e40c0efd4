//! What an expression of Rust stands for in the imperative syntax.
//!
//! A number is an expression there, and so is a struct. What Rust holds as several numbers is held as
//! several expressions: a slice is a pointer and a length. Iterators and closures stand for what is done
//! with them, so that a chain of iterators is the loop that it is.

use crate::ast_builder;
use crate::positions::TextCopy;
use crate::types::{SIZE, Ty};
use premiss_ast::syntax::{At, Expression, Name};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

/// What an expression stands for.
#[derive(Debug, Clone)]
pub(crate) enum Value<'a> {
    /// A value, or the place of one.
    Plain(Expression, Ty),
    /// Elements that follow one another.
    Slice(Slice),
    /// An array of `ndarray`.
    NdArray(NdArray),
    Tuple(Vec<Value<'a>>),
    Range(Range),
    /// `Some` of a value where a condition holds.
    Option(Expression, Box<Value<'a>>),
    Iterator(Box<ItemSequence<'a>>),
    Closure(Rc<Closure<'a>>),
    /// A reference to a value that lies nowhere: one to a reference.
    Alias(Box<Value<'a>>),
    Unit,
    /// What does not return.
    Never,
    /// Something that is not looked into.
    Unknown(Ty),
}

/// A pointer to the first of so many elements.
#[derive(Debug, Clone)]
pub(crate) struct Slice {
    pub(crate) pointer: Expression,
    pub(crate) length: Expression,
    pub(crate) element: Arc<Ty>,
    /// The type of the whole.
    pub(crate) kind: Ty,
}

/// A pointer to the first element of an array of `ndarray`.
#[derive(Debug, Clone)]
pub(crate) struct NdArray {
    pub(crate) pointer: Expression,
    pub(crate) element: Arc<Ty>,
    /// How long each dimension is, and how many elements a step along it passes.
    pub(crate) axes: Vec<(Expression, Expression)>,
}

/// A range of integers; what is at its end does not belong to it.
#[derive(Debug, Clone)]
pub(crate) struct Range {
    pub(crate) start: Option<Expression>,
    pub(crate) end: Option<Expression>,
    pub(crate) kind: Ty,
}

/// What an iterator yields, in order.
#[derive(Debug, Clone)]
pub(crate) struct ItemSequence<'a> {
    /// How many items there are before stages; `None` for an endless sequence.
    pub(crate) count: Option<Expression>,
    pub(crate) item: SequenceItem<'a>,
    /// What is done with each item, in order.
    pub(crate) adapters: Vec<Adapter<'a>>,
    /// What comes behind the last item.
    pub(crate) chained: Option<Box<ItemSequence<'a>>>,
}

/// An item of an iterator as a function of its number.
#[derive(Debug, Clone)]
pub(crate) enum SequenceItem<'a> {
    /// The number of the item times a step, from a start. Where there is an end, the items are those
    /// below it.
    Counter {
        start: Expression,
        step: Expression,
        end: Option<Expression>,
        kind: Ty,
    },
    /// A reference to an element.
    Element {
        pointer: Expression,
        element: Arc<Ty>,
    },
    /// Elements from the number of the item times `step` on, `size` of them, or as many as there are up to
    /// `length`.
    Chunk {
        pointer: Expression,
        element: Arc<Ty>,
        step: Expression,
        size: Expression,
        length: Option<Expression>,
    },
    /// A part of an array of `ndarray`: where it is cut by the first of its axes.
    Lane(NdArray),
    /// What the item is a reference to.
    Copied(Box<SequenceItem<'a>>),
    Enumerated(Box<SequenceItem<'a>>),
    Zipped(Box<SequenceItem<'a>>, Box<SequenceItem<'a>>),
    Mapped(Box<SequenceItem<'a>>, Rc<Closure<'a>>),
    /// From the last one, of so many, to the first.
    Reversed(Box<SequenceItem<'a>>, Expression),
    /// From that number on.
    Skipped(Box<SequenceItem<'a>>, Expression),
    /// Every so many.
    Stepped(Box<SequenceItem<'a>>, Expression),
    /// The same again and again.
    Repeated(Box<Value<'a>>),
}

/// What is done with an item of an iterator beyond its number.
#[derive(Debug, Clone)]
pub(crate) enum Adapter<'a> {
    Map(Rc<Closure<'a>>),
    Filter(Rc<Closure<'a>>),
    FilterMap(Rc<Closure<'a>>),
    FlatMap(Option<Rc<Closure<'a>>>),
    TakeWhile(Rc<Closure<'a>>),
    SkipWhile,
    Inspect(Rc<Closure<'a>>),
    Copied,
    /// Paired with how many came before, which is data.
    Enumerate,
}

/// A closure with what it captures.
#[derive(Debug)]
pub(crate) struct Closure<'a> {
    pub(crate) syntax: ClosureCode<'a>,
    pub(crate) environment: Environment<'a>,
    pub(crate) copy: TextCopy,
    /// Whether it was put in the place of a call already.
    pub(crate) was_inlined: Cell<bool>,
}

/// What a closure does.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ClosureCode<'a> {
    Closure(&'a syn::ExprClosure),
    /// A function or method by its path.
    Path(&'a syn::ExprPath),
}

/// Names and what they stand for, the latest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Environment<'a>(Option<Rc<Binding<'a>>>);

#[derive(Debug)]
struct Binding<'a> {
    name: String,
    value: Value<'a>,
    outer: Environment<'a>,
}

impl<'a> Environment<'a> {
    /// What a name stands for.
    pub(crate) fn get(&self, name: &str) -> Option<&Value<'a>> {
        let mut at = self;
        while let Some(binding) = &at.0 {
            if binding.name == name {
                return Some(&binding.value);
            }
            at = &binding.outer;
        }
        None
    }

    /// Adds a name.
    pub(crate) fn bind(&mut self, name: String, value: Value<'a>) {
        let outer = std::mem::take(self);
        self.0 = Some(Rc::new(Binding { name, value, outer }));
    }
}

impl Drop for Binding<'_> {
    /// Long chains are taken apart one by one.
    fn drop(&mut self) {
        let mut next = self.outer.0.take();
        while let Some(binding) = next {
            match Rc::try_unwrap(binding) {
                Ok(mut binding) => next = binding.outer.0.take(),
                Err(_) => break,
            }
        }
    }
}

impl<'a> Value<'a> {
    /// The type that is known of it.
    pub(crate) fn kind(&self) -> Ty {
        match self {
            Self::Plain(_, kind) | Self::Unknown(kind) => kind.clone(),
            Self::Slice(slice) => slice.kind.clone(),
            Self::NdArray(grid) => Ty::NdArray(grid.element.clone(), grid.axes.len()),
            Self::Tuple(parts) => Ty::Tuple(parts.iter().map(Self::kind).collect()),
            Self::Range(range) => Ty::Range(Arc::new(range.kind.clone())),
            Self::Option(_, value) => Ty::Option(Arc::new(value.kind())),
            Self::Alias(value) => value.kind().pointer(),
            Self::Unit => Ty::Unit,
            Self::Never => Ty::Never,
            Self::Iterator(_) | Self::Closure(_) => Ty::unknown(),
        }
    }

    /// The place of a number, with its type.
    pub(crate) fn place(self) -> Option<(Expression, Ty)> {
        match self {
            Self::Plain(place, kind) => Some((place, kind)),
            _ => None,
        }
    }

    /// An integer that sizes and indices are.
    pub(crate) fn size(expression: Expression) -> Self {
        Self::Plain(expression, SIZE)
    }

    /// The expressions that it consists of, in the order of the parts of its type.
    pub(crate) fn parts(&self, found: &mut Vec<Expression>) {
        match self {
            Self::Plain(expression, _) => found.push(expression.clone()),
            Self::Slice(slice) => found.extend([slice.pointer.clone(), slice.length.clone()]),
            Self::NdArray(grid) => {
                found.push(grid.pointer.clone());
                found.extend(grid.axes.iter().map(|(length, _)| length.clone()));
            }
            Self::Tuple(parts) => parts.iter().for_each(|part| part.parts(found)),
            Self::Alias(value) => value.parts(found),
            Self::Range(range) => found.extend(range.start.iter().chain(&range.end).cloned()),
            Self::Option(is_some, value) => {
                found.push(is_some.clone());
                value.parts(found);
            }
            _ => {}
        }
    }

    /// The same with other expressions in the place of its parts.
    pub(crate) fn with_parts(&self, parts: &mut dyn Iterator<Item = Expression>) -> Self {
        let mut next = |old: &Expression| parts.next().unwrap_or_else(|| old.clone());
        match self {
            Self::Plain(expression, kind) => Self::Plain(next(expression), kind.clone()),
            Self::Slice(slice) => Self::Slice(Slice {
                pointer: next(&slice.pointer),
                length: next(&slice.length),
                ..slice.clone()
            }),
            Self::NdArray(grid) => {
                let pointer = next(&grid.pointer);
                let axes = grid.axes.iter();
                let axes = axes.map(|(length, step)| (next(length), step.clone()));
                Self::NdArray(NdArray {
                    pointer,
                    axes: axes.collect(),
                    element: grid.element.clone(),
                })
            }
            Self::Tuple(list) => {
                Self::Tuple(list.iter().map(|part| part.with_parts(parts)).collect())
            }
            Self::Range(range) => Self::Range(Range {
                start: range.start.as_ref().map(&mut next),
                end: range.end.as_ref().map(&mut next),
                kind: range.kind.clone(),
            }),
            Self::Alias(value) => Self::Alias(Box::new(value.with_parts(parts))),
            Self::Option(is_some, value) => {
                let is_some = next(is_some);
                Self::Option(is_some, Box::new(value.with_parts(parts)))
            }
            other => other.clone(),
        }
    }
}

impl NdArray {
    /// An array whose last dimension is the innermost, without gaps.
    pub(crate) fn standard(
        at: At,
        pointer: Expression,
        element: Arc<Ty>,
        lengths: Vec<Expression>,
    ) -> Self {
        let mut axes = Vec::new();
        let mut step = ast_builder::integer(at, 1);
        for length in lengths.into_iter().rev() {
            let next = ast_builder::binary(
                at,
                premiss_ast::syntax::Binary::Multiply,
                length.clone(),
                step.clone(),
            );
            axes.push((length, std::mem::replace(&mut step, next)));
        }
        axes.reverse();
        Self {
            pointer,
            element,
            axes,
        }
    }
}

impl<'a> ItemSequence<'a> {
    /// So many items.
    pub(crate) fn counted(count: Expression, item: SequenceItem<'a>) -> Self {
        Self {
            count: Some(count),
            item,
            adapters: Vec::new(),
            chained: None,
        }
    }

    /// Whether an item is a function of its number.
    pub(crate) fn is_indexed(&self) -> bool {
        self.adapters.is_empty() && self.chained.is_none()
    }
}

/// The name of a part of a variable.
pub(crate) fn part_name(name: &str, part: &str) -> Name {
    format!("{name}{part}").into()
}
