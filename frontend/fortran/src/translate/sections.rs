//! Sections as arguments: one that lies in one piece is where its first element is; of another, a procedure
//! that takes its elements one after the other gets a copy. `CALL f(p(1:m, :))` becomes
//!
//! ```text
//! argument1 = p(1:m, :)          an array of its own, stored to in array element order
//! call f(argument1)
//! p(1:m, :) = argument1          unless `f` changes none of it
//! ```
//!
//! Where sizes decide whether it lies in one piece, they decide so when the program runs.

use super::Translator;
use super::calls::{Handed, is_object};
use super::make::{address_of, cast, constant, integer, name};
use crate::names::Type;
use crate::syntax::{AllocateOptions, Argument, ArgumentValue, Expr, ExprKind, Like, Section};
use premiss_imperative::syntax::{At, Binary, Expression, ExpressionKind as Kind, Statement};

/// What a procedure does with an array that it takes, so that a copy has to be filled before, or what is in
/// it is to be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Reads,
    Writes,
    Both,
}

/// Whether a section lies in one piece.
enum Piece {
    Whole,
    Scattered,
    /// Where this is true.
    WholeIf(Expression),
}

impl Piece {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Scattered, _) | (_, Self::Scattered) => Self::Scattered,
            (Self::Whole, one) | (one, Self::Whole) => one,
            (Self::WholeIf(a), Self::WholeIf(b)) => {
                Self::WholeIf(Expression::new(a.at, Kind::And(Box::new(a), Box::new(b))))
            }
        }
    }
}

impl Translator<'_> {
    /// Where the first element of an array argument is: of an element, all that follow it are handed
    /// over, too.
    pub(super) fn start_of(&mut self, expr: &Expr) -> Result<Expression, String> {
        let at = expr.at;
        let rank = self.rank_of(expr);
        if rank == 0 {
            return match self.place(expr).filter(is_object) {
                Some(place) => Ok(address_of(at, place)),
                // A constant stands for an array of one element.
                None => Ok(cast(at, self.kind_of(expr).pointer(), integer(at, 0))),
            };
        }
        match self.contiguous_start(expr) {
            Some(start) => Ok(start),
            None => Err(
                "an array section that is not contiguous, or an expression, as an argument"
                    .to_owned(),
            ),
        }
    }

    /// Where an array is of which the procedure takes the shape: a section is passed with its strides then,
    /// not as a copy.
    pub(super) fn start_of_shaped(&mut self, expr: &Expr) -> Result<Expression, String> {
        let start = self.start_of(expr);
        start.map_err(|construct| match self.is_regular(expr) {
            true => "a section that is not contiguous as an argument of assumed shape".to_owned(),
            false => construct,
        })
    }

    /// Where the elements of an array argument are, one after the other: those of a copy where they do not
    /// lie so.
    pub(super) fn start_or_copy(
        &mut self,
        expr: &Expr,
        (dummy, used): (&Type, Use),
        handed: &mut Handed,
    ) -> Result<Expression, String> {
        match self.start_of(expr) {
            Ok(start) => Ok(start),
            Err(construct) => {
                let scope = self.scope.clone();
                let start = self.copied(expr, (dummy, used), handed);
                self.scope = scope;
                start.ok_or(construct)
            }
        }
    }

    fn copied(
        &mut self,
        expr: &Expr,
        (dummy, used): (&Type, Use),
        handed: &mut Handed,
    ) -> Option<Expression> {
        let at = expr.at;
        if matches!(self.kind_of(expr), Type::Character(_)) || !self.is_regular(expr) {
            return None;
        }
        let mut before = Vec::new();
        let section = self.settled(expr, &mut before);
        let rank = self.rank_of(&section);
        let kind = self.kind_of(&section);
        let variable = self.array_variable("argument", kind, rank, at, &mut before);
        let made = AllocateOptions {
            reports: Vec::new(),
            like: Some((Like::Shape, section.clone())),
        };
        before.push(self.allocate(std::slice::from_ref(&variable), &made, at));
        let fill = match used {
            Use::Writes => None,
            Use::Reads | Use::Both => Some(self.assign_array(&variable, &section, at)?),
        };
        let keep = match used {
            Use::Reads => None,
            Use::Writes | Use::Both => Some(self.assign_array(&section, &variable, at)?),
        };
        match self.piece(&section)? {
            Piece::Whole => return self.first_element(&section),
            Piece::Scattered => {
                before.extend(fill);
                handed.surround(before, keep);
            }
            Piece::WholeIf(condition) => {
                let place = cast(at, dummy.pointer(), self.first_element(&section)?);
                handed.surround(before, None);
                handed.choose(condition, place, fill, keep)?;
            }
        }
        Some(self.array(&variable)?.base)
    }

    fn first_element(&mut self, section: &Expr) -> Option<Expression> {
        match &section.kind {
            ExprKind::Apply(base, arguments) => self.first_of_section(base, arguments, section.at),
            _ => None,
        }
    }

    /// The place of the first element of an array that lies in one piece.
    pub(super) fn contiguous_start(&mut self, expr: &Expr) -> Option<Expression> {
        let at = expr.at;
        match &expr.kind {
            ExprKind::Name(key) => {
                if let Some(value) = self.associated(key) {
                    return self.contiguous_start(&value);
                }
                if let Some((key, _)) = self.constant_array(expr) {
                    let symbol = self.symbol(&key)?;
                    return Some(name(at, &symbol.name));
                }
                self.array(expr).map(|array| array.base)
            }
            ExprKind::Member(base, _) if self.rank_of(base) == 0 => {
                self.array(expr).map(|array| array.base)
            }
            ExprKind::Apply(base, arguments) if self.is_data(base) => {
                self.contiguous_section(base, arguments, at)
            }
            _ => None,
        }
    }

    /// A section lies in one piece where all but its last ranked dimension are whole, and scalars follow.
    fn contiguous_section(
        &mut self,
        base: &Expr,
        arguments: &[Argument],
        at: At,
    ) -> Option<Expression> {
        let last = self.last_ranked(arguments)?;
        for (dimension, argument) in arguments.iter().enumerate() {
            let is_in_line = match &argument.value {
                ArgumentValue::Section(section) => {
                    let is_whole = section.first.is_none() && section.last.is_none();
                    section.step.is_none() && (is_whole || last <= dimension)
                }
                ArgumentValue::Expr(subscript) => self.rank_of(subscript) == 0 && last < dimension,
                ArgumentValue::Label | ArgumentValue::Star => false,
            };
            if !is_in_line {
                return None;
            }
        }
        self.first_of_section(base, arguments, at)
    }

    /// The last dimension of which a section has more than one element.
    fn last_ranked(&self, arguments: &[Argument]) -> Option<usize> {
        let mut places = arguments.iter();
        places.rposition(|one| 0 < self.rank_of_argument(one))
    }

    /// Where the first element of a section is.
    fn first_of_section(
        &mut self,
        base: &Expr,
        arguments: &[Argument],
        at: At,
    ) -> Option<Expression> {
        let array = self.array(base)?;
        let mut positions = Vec::new();
        for (dimension, argument) in arguments.iter().enumerate() {
            let first = match &argument.value {
                ArgumentValue::Section(section) => section.first.as_ref(),
                ArgumentValue::Expr(subscript) if self.rank_of(subscript) == 0 => Some(subscript),
                _ => return None,
            };
            positions.push(match first {
                None => integer(at, 0),
                Some(first) => {
                    let value = self.expr(first);
                    self.position(&array, dimension, value, at)
                }
            });
        }
        let first = self.element(array, positions, at)?;
        Some(address_of(at, first))
    }

    /// Whether a section lies in one piece, as its steps and extents tell.
    fn piece(&mut self, section: &Expr) -> Option<Piece> {
        let ExprKind::Apply(base, arguments) = &section.kind else {
            // A component of each element.
            return Some(Piece::Scattered);
        };
        let last = self.last_ranked(arguments)?;
        let array = self.array(base)?;
        let mut piece = Piece::Whole;
        for (dimension, argument) in arguments.iter().enumerate() {
            let at = section.at;
            let one = integer(at, 1);
            if let ArgumentValue::Section(part) = &argument.value
                && let Some(step) = &part.step
            {
                let step = self.expr(step);
                piece = piece.and(equal(step, one.clone()));
            }
            if last <= dimension {
                continue;
            }
            let whole = self.extent(&array, dimension, at)?;
            let own = match &argument.value {
                ArgumentValue::Section(part) if part.first.is_none() && part.last.is_none() => {
                    continue;
                }
                ArgumentValue::Section(part) => self.section_extent(base, dimension, part)?,
                // Of several rows, one.
                _ if !matches!(whole.kind, Kind::Integer(1, _)) => return Some(Piece::Scattered),
                _ => continue,
            };
            piece = piece.and(equal(own, whole));
        }
        Some(piece)
    }

    /// Whether an array expression is a part of an array that indices and sections select, without vectors of
    /// subscripts.
    fn is_regular(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(key) => match self.associated(key) {
                Some(value) => self.is_regular(&value),
                None => true,
            },
            ExprKind::Member(base, _) => self.is_regular(base),
            ExprKind::Apply(base, arguments) => {
                let is_plain = |one: &Argument| match &one.value {
                    ArgumentValue::Section(_) => true,
                    ArgumentValue::Expr(subscript) => self.rank_of(subscript) == 0,
                    ArgumentValue::Label | ArgumentValue::Star => false,
                };
                self.is_data(base) && self.is_regular(base) && arguments.iter().all(is_plain)
            }
            _ => false,
        }
    }

    /// A section with the values of its subscripts in place of them, as they are before the call.
    fn settled(&mut self, expr: &Expr, before: &mut Vec<Statement>) -> Expr {
        let kind = match &expr.kind {
            ExprKind::Name(key) => match self.associated(key) {
                Some(value) => return self.settled(&value, before),
                None => expr.kind.clone(),
            },
            ExprKind::Member(base, key) => {
                ExprKind::Member(Box::new(self.settled(base, before)), key.clone())
            }
            ExprKind::Apply(base, arguments) => {
                let base = Box::new(self.settled(base, before));
                let own = arguments.iter();
                let own = own.map(|one| self.settled_argument(one, before));
                ExprKind::Apply(base, own.collect())
            }
            other => other.clone(),
        };
        Expr { at: expr.at, kind }
    }

    fn settled_argument(&mut self, argument: &Argument, before: &mut Vec<Statement>) -> Argument {
        let value = match &argument.value {
            ArgumentValue::Section(section) => {
                let mut settle = |one: &Option<Expr>| {
                    let one = one.as_ref();
                    one.map(|subscript| self.settled_value(subscript, before))
                };
                ArgumentValue::Section(Box::new(Section {
                    at: section.at,
                    first: settle(&section.first),
                    last: settle(&section.last),
                    step: settle(&section.step),
                }))
            }
            ArgumentValue::Expr(subscript) => {
                ArgumentValue::Expr(self.settled_value(subscript, before))
            }
            other => other.clone(),
        };
        Argument {
            keyword: argument.keyword.clone(),
            value,
        }
    }

    /// A subscript, as a variable of its own where calls may change what it yields.
    fn settled_value(&mut self, subscript: &Expr, before: &mut Vec<Statement>) -> Expr {
        if self.keeps_value(subscript) {
            return subscript.clone();
        }
        let at = subscript.at;
        let own = self.fresh("bound:");
        let kind = self.kind_of(subscript);
        let value = self.expr(subscript);
        before.push(constant(at, &own, kind.name(), value));
        self.bring_variable(&own, at, kind, None)
    }
}

/// Whether two numbers are the same.
fn equal(a: Expression, b: Expression) -> Piece {
    match (&a.kind, &b.kind) {
        (Kind::Integer(x, _), Kind::Integer(y, _)) if x == y => Piece::Whole,
        (Kind::Integer(..), Kind::Integer(..)) => Piece::Scattered,
        _ => Piece::WholeIf(Expression::new(
            a.at,
            Kind::Binary(Binary::Equal, Box::new(a), Box::new(b)),
        )),
    }
}
