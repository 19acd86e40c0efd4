//! The parts of an object that the expressions of its initializer are for (C11 6.7.9).
//!
//! ```text
//! struct { int n, v[2]; } t[] = { 1, 2, 3, [2].v[1] = 4, 5 };
//!                                 │  │  │             │  └ t[3].n
//!                                 │  └──┴ t[0].v      └ t[2].v[1]
//!                                 └ t[0].n
//! ```
//!
//! Braces around an inner object may be omitted: it then takes as many expressions as it has scalars. A designator
//! selects the next part, and the following expressions continue from there.

use crate::context::Lowering;
use crate::domain::constant_image::Image;
use crate::domain::types::{StructLayout, Type, find_member};
use crate::eval::constant_expressions::{constant_integer, constant_integer_of_type};
use crate::eval::initializer_forms::is_text_for;
use crate::syntax::{Designator, Expression as Syntax, ExpressionKind, Initializer, Name, Part};
use premiss_tree::Expression;

/// The maximum number of expressions placed in one object; those of a range count once per element.
const MAX_PLACED: usize = 4_000_000;

/// The length of an array whose type does not state one.
const UNSIZED: i64 = i64::MAX;

/// An object whose parts are being initialized one after the other.
struct OpenAggregate<'k> {
    kind: AggregateKind<'k>,
    offset: i64,
    /// The index of the next part.
    next: i64,
}

impl<'k> OpenAggregate<'k> {
    fn of(kind: &'k Type, offset: i64) -> Result<Option<Self>, UnknownPosition> {
        let kind = match kind {
            Type::Array(element, length) => {
                let length = match length {
                    None => UNSIZED,
                    Some(Expression::Integer(length)) => *length,
                    Some(_) => return Err(UnknownPosition),
                };
                let size = element.size().and_then(|size| size.as_integer());
                AggregateKind::Array {
                    element,
                    size: size.ok_or(UnknownPosition)?,
                    length,
                }
            }
            Type::Struct(_, layout) => AggregateKind::Struct(layout),
            _ => return Ok(None),
        };
        Ok(Some(Self {
            kind,
            offset,
            next: 0,
        }))
    }

    fn n_parts(&self) -> i64 {
        match self.kind {
            AggregateKind::Array { length, .. } => length,
            AggregateKind::Struct(layout) => i64::try_from(layout.members.len()).unwrap_or(UNSIZED),
        }
    }

    /// The offset and type of the part with this index.
    fn part(&self, number: i64) -> Result<(i64, &'k Type), UnknownPosition> {
        match self.kind {
            AggregateKind::Array { element, size, .. } => {
                let distance = size.checked_mul(number).ok_or(UnknownPosition)?;
                let offset = self.offset.checked_add(distance).ok_or(UnknownPosition)?;
                Ok((offset, element))
            }
            AggregateKind::Struct(layout) => {
                let number = usize::try_from(number).map_err(|_| UnknownPosition)?;
                let member = layout.members.get(number).ok_or(UnknownPosition)?;
                let distance = i64::from(member.offset);
                let offset = self.offset.checked_add(distance).ok_or(UnknownPosition)?;
                Ok((offset, &member.kind))
            }
        }
    }

    /// Continues behind a part. A union holds one of its members.
    fn pass(&mut self, number: i64) {
        self.next = match self.kind {
            AggregateKind::Struct(layout) if layout.is_union => UNSIZED,
            _ => number.saturating_add(1),
        };
    }
}

/// An object with parts.
enum AggregateKind<'k> {
    Array {
        element: &'k Type,
        size: i64,
        length: i64,
    },
    Struct(&'k StructLayout),
}

/// Traverses an initializer.
struct ImageWriter<'w, 'p> {
    ctx: &'w mut Lowering<'p>,
    /// The image to write to; `None` if only lengths are needed.
    image: Option<&'w mut Image>,
    n_placed: usize,
}

impl ImageWriter<'_, '_> {
    /// Places the elements of a braced list; returns the number of parts that are reached.
    fn braced(&mut self, kind: &Type, offset: i64, list: &[Part]) -> Result<i64, UnknownPosition> {
        let Some(outermost) = OpenAggregate::of(kind, offset)? else {
            // `{ 3 }` of a scalar.
            if let Some(part) = list.first() {
                self.initializer(kind, offset, &part.value)?;
            }
            return Ok(0);
        };
        self.spend()?;
        if let Some(image) = self.image.as_deref_mut() {
            let size = kind.size().and_then(|size| size.as_integer());
            image.clear(offset, size.unwrap_or(UNSIZED));
        }
        let mut open = vec![outermost];
        let mut reached = 0;
        for part in list {
            let last = match part.designators.is_empty() {
                true => None,
                false => self.designated(&mut open, &part.designators)?,
            };
            let depth = open.len();
            self.next(&mut open, &part.value)?;
            if let Some(last) = last {
                open.truncate(depth);
                self.repeat(&mut open, last, &part.value)?;
            }
            reached = reached.max(open[0].next);
        }
        Ok(reached)
    }

    /// Opens the part that designators select; returns the last element if they select a range.
    fn designated<'k>(
        &mut self,
        open: &mut Vec<OpenAggregate<'k>>,
        path: &[Designator],
    ) -> Result<Option<i64>, UnknownPosition> {
        open.truncate(1);
        for (depth, step) in path.iter().enumerate() {
            if 0 < depth {
                enter(open)?;
            }
            match step {
                Designator::Member(name) => enter_member(open, name)?,
                Designator::Index(index) => {
                    let index = self.index(index)?;
                    select(open, index)?;
                }
                Designator::Range(first, last) => {
                    let (first, last) = (self.index(first)?, self.index(last)?);
                    let is_innermost = depth + 1 == path.len();
                    if !is_innermost || last < first {
                        return Err(UnknownPosition);
                    }
                    select(open, last)?;
                    select(open, first)?;
                    return Ok(Some(last));
                }
            }
        }
        Ok(None)
    }

    fn index(&mut self, syntax: &Syntax) -> Result<i64, UnknownPosition> {
        let index = constant_integer(self.ctx, syntax).ok_or(UnknownPosition)?;
        (0 <= index).then_some(index).ok_or(UnknownPosition)
    }

    /// Initializes the next part of the innermost open object.
    fn next(
        &mut self,
        open: &mut Vec<OpenAggregate<'_>>,
        value: &Initializer,
    ) -> Result<(), UnknownPosition> {
        loop {
            let innermost = open.last_mut().ok_or(UnknownPosition)?;
            if innermost.n_parts() <= innermost.next {
                if open.len() == 1 {
                    // An excess element.
                    return Ok(());
                }
                open.pop();
                continue;
            }
            let number = innermost.next;
            let (offset, kind) = innermost.part(number)?;
            innermost.pass(number);
            let has_parts = matches!(kind, Type::Array(..) | Type::Struct(..));
            match value {
                Initializer::Expression(syntax) if has_parts && !self.is_whole(kind, syntax) => {
                    // Its braces were omitted.
                    open.extend(OpenAggregate::of(kind, offset)?);
                }
                value => return self.initializer(kind, offset, value),
            }
        }
    }

    /// Copies the value of the first element to all elements up to `last`.
    fn repeat(
        &mut self,
        open: &mut Vec<OpenAggregate<'_>>,
        last: i64,
        value: &Initializer,
    ) -> Result<(), UnknownPosition> {
        let depth = open.len() - 1;
        if self.image.is_none() {
            open[depth].next = last.saturating_add(1);
        }
        while open[depth].next <= last {
            self.next(open, value)?;
            open.truncate(depth + 1);
        }
        Ok(())
    }

    fn initializer(
        &mut self,
        kind: &Type,
        offset: i64,
        initializer: &Initializer,
    ) -> Result<(), UnknownPosition> {
        match initializer {
            Initializer::Expression(syntax) => self.write_object(kind, offset, syntax),
            Initializer::List(list) => match (kind, &list[..]) {
                // `{ "text" }` is `"text"`.
                (Type::Array(element, _), [part]) if is_text_for(element, &part.value) => {
                    self.initializer(kind, offset, &part.value)
                }
                _ => self.braced(kind, offset, list).map(|_| ()),
            },
        }
    }

    /// Whether an expression is the value of a whole object with parts.
    fn is_whole(&mut self, kind: &Type, syntax: &Syntax) -> bool {
        match (&syntax.kind, kind) {
            (ExpressionKind::Text(_), Type::Array(element, _)) => {
                matches!(**element, Type::Integer(_))
            }
            (ExpressionKind::Integer(..) | ExpressionKind::Floating(..), _) => false,
            (_, Type::Struct(..)) => {
                let found = self.ctx.type_of(syntax);
                found.is_ok_and(|found| matches!(found, Type::Struct(..)))
            }
            _ => false,
        }
    }

    fn spend(&mut self) -> Result<(), UnknownPosition> {
        self.n_placed += 1;
        (self.n_placed <= MAX_PLACED)
            .then_some(())
            .ok_or(UnknownPosition)
    }

    /// Writes the value of a whole object.
    fn write_object(
        &mut self,
        kind: &Type,
        offset: i64,
        syntax: &Syntax,
    ) -> Result<(), UnknownPosition> {
        self.spend()?;
        let Some(image) = self.image.as_deref_mut() else {
            return Ok(());
        };
        let integer = kind.integer().zip(kind.scalar_size());
        match integer {
            Some((integer, size)) => match constant_integer_of_type(self.ctx, syntax, integer) {
                Some(value) => image.put(offset, size, value),
                None => image.set_unknown(offset, i64::from(size)),
            },
            None => {
                let size = kind.size().and_then(|size| size.as_integer());
                image.set_unknown(offset, size.unwrap_or(UNSIZED));
            }
        }
        Ok(())
    }
}

/// A part whose position is unknown: the rest of the object is unknown.
struct UnknownPosition;

/// The length of an array that its initializer determines, if its type does not.
pub(crate) fn initialized_length(ctx: &mut Lowering, element: &Type, list: &[Part]) -> Option<i64> {
    let has_parts = matches!(element, Type::Array(..) | Type::Struct(..));
    if !has_parts && list.iter().all(|part| part.designators.is_empty()) {
        return i64::try_from(list.len()).ok();
    }
    let mut walk = ImageWriter {
        ctx,
        image: None,
        n_placed: 0,
    };
    let whole = Type::Array(std::rc::Rc::new(element.clone()), None);
    walk.braced(&whole, 0, list).ok()
}

/// Writes the initial contents of an object to an image.
pub(crate) fn write_image(
    ctx: &mut Lowering,
    kind: &Type,
    initializer: &Initializer,
    image: &mut Image,
) {
    let mut walk = ImageWriter {
        ctx,
        image: Some(image),
        n_placed: 0,
    };
    let written = match initializer {
        Initializer::List(list) => walk.braced(kind, 0, list).map(|_| ()),
        Initializer::Expression(syntax) => walk.write_object(kind, 0, syntax),
    };
    if written.is_err() {
        image.set_unknown(0, i64::MAX);
    }
}

/// Makes a part of the innermost open object the next one.
fn select(open: &mut [OpenAggregate<'_>], number: i64) -> Result<(), UnknownPosition> {
    let innermost = open.last_mut().ok_or(UnknownPosition)?;
    let is_array = matches!(innermost.kind, AggregateKind::Array { .. });
    if !is_array || innermost.n_parts() <= number {
        return Err(UnknownPosition);
    }
    innermost.next = number;
    Ok(())
}

/// Opens the next part of the innermost open object.
fn enter(open: &mut Vec<OpenAggregate<'_>>) -> Result<(), UnknownPosition> {
    let innermost = open.last_mut().ok_or(UnknownPosition)?;
    let number = innermost.next;
    let (offset, kind) = innermost.part(number)?;
    innermost.pass(number);
    open.push(OpenAggregate::of(kind, offset)?.ok_or(UnknownPosition)?);
    Ok(())
}

/// Makes the member of that name the next part, including members of anonymous members.
fn enter_member(open: &mut Vec<OpenAggregate<'_>>, name: &Name) -> Result<(), UnknownPosition> {
    loop {
        let innermost = open.last_mut().ok_or(UnknownPosition)?;
        let AggregateKind::Struct(layout) = innermost.kind else {
            return Err(UnknownPosition);
        };
        let leads_there = |kind: &Type| match kind {
            Type::Struct(_, inner) => find_member(inner, name).is_some(),
            _ => false,
        };
        let members = layout.members.iter();
        let number = members.clone().position(|x| x.name.as_ref() == Some(name));
        let is_own = number.is_some();
        let number = number.or_else(|| {
            members
                .clone()
                .position(|x| x.name.is_none() && leads_there(&x.kind))
        });
        innermost.next = number
            .and_then(|x| i64::try_from(x).ok())
            .ok_or(UnknownPosition)?;
        if is_own {
            return Ok(());
        }
        enter(open)?;
    }
}
