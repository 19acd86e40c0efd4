//! Values: the representation of Rust expressions in the common syntax.
//!
//! A number is represented by an expression, and so is a struct. Values with several parts are represented by several
//! expressions: a slice by a pointer and a length. Iterators and closures are represented symbolically, so that a
//! chain of iterators becomes a loop.

use crate::ast_builder;
use crate::context::Substitution;
use crate::positions::TextCopy;
use crate::types::{SIZE, Ty};
use premiss_ast::syntax::{Expression, Name, TextRange};
use std::cell::{Cell, OnceCell};
use std::rc::Rc;
use std::sync::Arc;

/// The representation of an expression.
#[derive(Debug, Clone)]
pub(crate) enum Value<'a> {
    /// A value, or a place that holds one.
    Plain(Expression, Ty),
    /// Contiguous elements.
    Slice(Slice),
    /// An array of `ndarray`.
    NdArray(NdArray),
    Tuple(Vec<Value<'a>>),
    Range(Range),
    /// `Some` of a value if a condition holds.
    Option(Expression, Box<Value<'a>>),
    Iterator(Box<ItemSequence<'a>>),
    Closure(Rc<Closure<'a>>),
    /// A reference to a value without an address: one to a reference.
    Alias(Box<Value<'a>>),
    Unit,
    /// The value of an expression that does not return.
    Never,
    /// A value that is not modelled.
    Unknown(Ty),
}

/// A pointer to the first of a number of elements.
#[derive(Debug, Clone)]
pub(crate) struct Slice {
    pub(crate) pointer: Expression,
    pub(crate) length: Expression,
    pub(crate) element: Arc<Ty>,
    /// The type of the whole value.
    pub(crate) kind: Ty,
}

/// A pointer to the first element of an array of `ndarray`.
#[derive(Debug, Clone)]
pub(crate) struct NdArray {
    pub(crate) pointer: Expression,
    pub(crate) element: Arc<Ty>,
    /// The length of each dimension, and its stride in elements.
    pub(crate) axes: Vec<(Expression, Expression)>,
}

/// A range of integers; the end is exclusive.
#[derive(Debug, Clone)]
pub(crate) struct Range {
    pub(crate) start: Option<Expression>,
    pub(crate) end: Option<Expression>,
    pub(crate) kind: Ty,
}

/// The items of an iterator, in order.
#[derive(Debug, Clone)]
pub(crate) struct ItemSequence<'a> {
    /// The number of items before the adapters; `None` for an endless sequence.
    pub(crate) count: Option<Expression>,
    pub(crate) item: SequenceItem<'a>,
    /// The adapters that are applied to each item, in order.
    pub(crate) adapters: Vec<Adapter<'a>>,
    /// The items after the last one.
    pub(crate) chained: Option<Box<ItemSequence<'a>>>,
    /// Which of its items have been taken.
    pub(crate) position: Position,
    /// The elements behind the last of `chunks_exact`.
    pub(crate) remainder: Option<Box<Slice>>,
}

/// How many items of an iterator have been taken.
#[derive(Debug, Clone, Default)]
pub(crate) enum Position {
    /// None: it is a value that nothing holds.
    #[default]
    Start,
    /// A variable holds the iterator: this many.
    Held(Expression),
    /// The items are those that are left of the iterator whose position is `variable`, which was `first`. Whoever takes
    /// them advances it; not all of them may be taken if `is_partial`.
    Borrowed {
        variable: Expression,
        first: Expression,
        is_partial: bool,
    },
}

/// An item of an iterator as a function of its index.
#[derive(Debug, Clone)]
pub(crate) enum SequenceItem<'a> {
    /// The index times a step, plus a start. If there is an end, the sequence has the items below it.
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
    /// `size` elements from index times `step` on, or as many as there are up to `length`.
    Chunk {
        pointer: Expression,
        element: Arc<Ty>,
        step: Expression,
        size: Expression,
        length: Option<Expression>,
    },
    /// A subarray of an array of `ndarray`, at an index of the first axis.
    Lane(NdArray),
    /// The value that the item refers to.
    Copied(Box<SequenceItem<'a>>),
    Enumerated(Box<SequenceItem<'a>>),
    Zipped(Box<SequenceItem<'a>>, Box<SequenceItem<'a>>),
    Mapped(Box<SequenceItem<'a>>, Rc<Closure<'a>>),
    /// In reverse order, given the number of items.
    Reversed(Box<SequenceItem<'a>>, Expression),
    /// From this index on.
    Skipped(Box<SequenceItem<'a>>, Expression),
    /// Every `n`-th item.
    Stepped(Box<SequenceItem<'a>>, Expression),
    /// The same value for each index.
    Repeated(Box<Value<'a>>),
}

/// An operation on each item of an iterator that is not a function of its index.
#[derive(Debug, Clone)]
pub(crate) enum Adapter<'a> {
    Map(Rc<Closure<'a>>),
    Filter(Rc<Closure<'a>>),
    FilterMap(Rc<Closure<'a>>),
    FlatMap(Option<Rc<Closure<'a>>>),
    TakeWhile(Rc<Closure<'a>>),
    MapWhile(Rc<Closure<'a>>),
    /// Calls a closure with a reference to a state and the item, and ends with the first call that yields nothing.
    Scan(Rc<Closure<'a>>, Box<Value<'a>>),
    /// Pairs each item with the one of another iterator at the index in a variable, and ends with that one.
    Zip(Box<OtherItems<'a>>),
    /// Ends once the counter, the first expression, has reached a number of items.
    Limit(Expression, Expression),
    /// Counts items.
    Count(Expression),
    /// Skips a number of items, the second expression, which a variable counts.
    Skip(Expression, Expression),
    SkipWhile,
    Inspect(Rc<Closure<'a>>),
    /// Of a number and an item, the item: it is taken from an iterator, whose position, the first expression, is then
    /// one more than the sum of the second and the number.
    Advance(Expression, Expression),
    Copied,
    /// Pairs each item with the number of preceding items, which a variable counts.
    Enumerate(Expression),
}

/// The items beside those of an iterator whose number only its items tell.
#[derive(Debug, Clone)]
pub(crate) struct OtherItems<'a> {
    pub(crate) item: SequenceItem<'a>,
    /// How many there are; `None` if they do not end, or an earlier stage ends with them.
    pub(crate) count: Option<Expression>,
    /// The variable that counts those that have been taken.
    pub(crate) counter: Expression,
    /// Whether its item is the first one of a pair.
    pub(crate) is_first: bool,
}

/// A closure with its captures.
#[derive(Debug)]
pub(crate) struct Closure<'a> {
    pub(crate) syntax: ClosureCode<'a>,
    pub(crate) environment: Environment<'a>,
    /// The values of generic parameters where it is defined.
    pub(crate) substitution: Arc<Substitution>,
    /// The index of its file, and the copy of its text.
    pub(crate) unit: usize,
    pub(crate) copy: TextCopy,
    /// The code that is being inlined around its definition.
    pub(crate) inlined_around: Vec<InlinedCode>,
    /// Names of captured variables that are its own and may change: a copy of the closure has copies of them.
    pub(crate) own_state: Vec<String>,
    /// Whether it has been inlined already.
    pub(crate) was_inlined: Cell<bool>,
    /// The type that its context expects of its result, where that says more than its text.
    pub(crate) expected: OnceCell<Ty>,
}

/// Code that is being inlined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum InlinedCode {
    Function(usize),
    Closure(*const syn::ExprClosure),
}

/// The code of a closure.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ClosureCode<'a> {
    Closure(&'a syn::ExprClosure),
    /// A function or method by its path.
    Path(&'a syn::ExprPath),
}

/// Names with their values, most recent first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Environment<'a>(Option<Rc<Binding<'a>>>);

#[derive(Debug)]
struct Binding<'a> {
    name: String,
    value: Value<'a>,
    outer: Environment<'a>,
}

impl<'a> Environment<'a> {
    /// The value of a name.
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
    /// Long chains are dropped iteratively.
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
    /// Whether it has code as a part: a closure, or an iterator that calls closures.
    pub(crate) fn has_code(&self) -> bool {
        match self {
            Self::Closure(_) | Self::Iterator(_) => true,
            Self::Tuple(parts) => parts.iter().any(Self::has_code),
            Self::Option(_, inner) | Self::Alias(inner) => inner.has_code(),
            _ => false,
        }
    }

    /// Its type, as far as it is known.
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

    /// An integer of type `usize`, for sizes and indices.
    pub(crate) fn size(expression: Expression) -> Self {
        Self::Plain(expression, SIZE)
    }

    /// Adds the expressions that represent it, in the order of the parts of its type.
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

    /// The same value with other expressions for its parts.
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
    /// A contiguous array in row-major order.
    pub(crate) fn standard(
        at: TextRange,
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
    /// A sequence of `count` items.
    pub(crate) fn counted(count: Expression, item: SequenceItem<'a>) -> Self {
        Self::new(Some(count), item)
    }

    /// A sequence of `count` items, or an endless one.
    pub(crate) fn new(count: Option<Expression>, item: SequenceItem<'a>) -> Self {
        Self {
            count,
            item,
            adapters: Vec::new(),
            chained: None,
            position: Position::Start,
            remainder: None,
        }
    }

    /// Whether an item is a function of its index.
    pub(crate) fn is_indexed(&self) -> bool {
        self.adapters.is_empty() && self.chained.is_none()
    }
}

/// The name of a part of a variable.
pub(crate) fn part_name(name: &str, part: &str) -> Name {
    format!("{name}{part}").into()
}
