//! Arrays whose place is known when the program runs: `ALLOCATE`, `MOVE_ALLOC`, pointers.
//!
//! Such an array `a` is a pointer with its bounds beside it: `ALLOCATE (a(0:n))` is
//! `size(a,1) = n + 1; lbound(a,1) = 0; a = malloc(8 * size(a,1))`. The program is taken to get the memory
//! that it asks for.

use super::Translator;
use super::make::{address_of, assign, binary, block, call, cast, evaluate, integer};
use super::place::Array;
use crate::names::mentioned::{statements, walk};
use crate::names::{Shape, Storage, Type};
use crate::syntax::{
    AllocateOptions, Argument, ArgumentValue, Expr, ExprKind, Key, Like, StatementKind as Exec,
};
use premiss_imperative::syntax::{At, Binary, Expression, ExpressionKind as Kind, Statement};

/// A lower bound and an extent.
type Bounds = (Expression, Expression);

impl Translator<'_> {
    /// `ALLOCATE (a(n, 0:m), STAT = ierr)`: it succeeds, so that the status is 0.
    pub(super) fn allocate(
        &mut self,
        objects: &[Expr],
        options: &AllocateOptions,
        at: At,
    ) -> Statement {
        let mut list = Vec::new();
        for object in objects {
            match self.allocated(object, options.like.as_ref()) {
                Some(mut one) => list.append(&mut one),
                None => {
                    let construct = "an allocation of this object".to_owned();
                    list.push(self.rejected(construct, object.at));
                }
            }
        }
        for report in &options.reports {
            if let (Type::Integer(_), Some(place)) = (self.kind_of(report), self.place(report)) {
                list.push(evaluate(assign(report.at, place, integer(report.at, 0))));
            }
        }
        block(at, list)
    }

    /// `DEALLOCATE (a, STAT = ierr)`: nobody knows whether `a` was there.
    pub(super) fn deallocate(&mut self, options: &AllocateOptions, at: At) -> Statement {
        let reports = options.reports.iter();
        let numbers = reports.filter(|x| !matches!(self.kind_of(x), Type::Character(_)));
        let numbers: Vec<&Expr> = numbers.collect();
        let list = numbers.into_iter().filter_map(|x| self.store_unknown(x));
        block(at, list.collect())
    }

    fn allocated(&mut self, object: &Expr, like: Option<&(Like, Expr)>) -> Option<Vec<Statement>> {
        let at = object.at;
        let (object, arguments) = match &object.kind {
            ExprKind::Apply(base, arguments) => (&**base, Some(arguments)),
            _ => (object, None),
        };
        if self.rank_of(object) == 0 || matches!(self.kind_of(object), Type::Character(_)) {
            return Some(Vec::new());
        }
        let array = self.array(object)?;
        let bounds = match (arguments, like) {
            (Some(arguments), _) => arguments
                .iter()
                .map(|one| self.allocated_bounds(one, at))
                .collect::<Option<Vec<Bounds>>>()?,
            (None, Some((_, like))) => self.bounds_of(like)?,
            (None, None) => return None,
        };
        let mut list = self.given_memory(array, bounds, at)?;
        if let Some((Like::Value, value)) = like {
            list.push(self.assign_array(object, value, at)?);
        }
        Some(list)
    }

    /// Lets an array be one of these bounds.
    fn given_memory(
        &mut self,
        array: Array,
        bounds: Vec<Bounds>,
        at: At,
    ) -> Option<Vec<Statement>> {
        let mut list = self.set_bounds(&array, bounds, at)?;
        let length = self.number_of_elements(&array, at);
        let kind = &array.variable.kind;
        let size = Expression::new(at, Kind::SizeofType(kind.name()));
        let bytes = binary(at, Binary::Multiply, length, size);
        let memory = cast(at, kind.pointer(), call(at, "malloc", vec![bytes]));
        list.push(evaluate(assign(at, array.base, memory)));
        Some(list)
    }

    /// `a = b` allocates a local `a` where it is the only statement that may: the first time, as it is
    /// shaped like `b` from then on. None where that is not so, or not known.
    pub(super) fn allocated_by_assignment(
        &mut self,
        left: &Expr,
        right: &Expr,
        at: At,
    ) -> Option<Vec<Statement>> {
        let key = left
            .as_name()
            .filter(|key| self.associated(key).is_none())?;
        let is_defined_here = self.is_defined_once(key) && 0 < self.rank_of(right);
        if !is_defined_here || is_mentioned(right, key) {
            return None;
        }
        let array = self.array(left)?;
        let bounds = self.bounds_of(right)?;
        self.given_memory(array, bounds, at)
    }

    /// Whether one whole assignment is all that allocates a local array, or changes its bounds.
    fn is_defined_once(&self, key: &Key) -> bool {
        let Some(procedure) = self.procedure else {
            return false;
        };
        let is_local = self.scope.variable(key).is_some_and(|variable| {
            variable.is_allocatable
                && variable.storage == Storage::Local
                && matches!(variable.shape, Some(Shape::Deferred(_)))
        });
        let mut n_assignments = 0;
        let mut has_other = !procedure.ast.contained.is_empty();
        statements(&procedure.ast.body, &mut |one| match &one.kind {
            Exec::Assign(left, _) => n_assignments += usize::from(left.as_name() == Some(key)),
            Exec::Allocate(objects, _) | Exec::Deallocate(objects, _) => {
                has_other |= objects.iter().any(|object| object.root() == Some(key));
            }
            Exec::Call(_, arguments) => {
                let mut list = arguments.iter().filter_map(Argument::expr);
                has_other |= list.any(|expr| expr.as_name() == Some(key));
            }
            _ => {}
        });
        is_local && n_assignments == 1 && !has_other
    }

    /// `n` or `0:n` in an allocation.
    fn allocated_bounds(&mut self, argument: &Argument, at: At) -> Option<Bounds> {
        match &argument.value {
            ArgumentValue::Expr(upper) => Some((integer(at, 1), self.expr(upper))),
            ArgumentValue::Section(section) => {
                let (first, last) = (section.first.as_ref()?, section.last.as_ref()?);
                let upper = self.expr(last);
                let below = self.expr(first);
                let distance = binary(at, Binary::Subtract, upper, below);
                let extent = binary(at, Binary::Add, distance, integer(at, 1));
                Some((self.expr(first), extent))
            }
            _ => None,
        }
    }

    /// The bounds that an object shaped like an expression gets: those of a whole array, else from 1.
    fn bounds_of(&mut self, like: &Expr) -> Option<Vec<Bounds>> {
        let whole = self.whole_array(like);
        let mut list = Vec::new();
        for dimension in 0..self.rank_of(like) {
            let lower = match &whole {
                Some(array) => self.lower_bound(array, dimension, like.at),
                None => integer(like.at, 1),
            };
            list.push((lower, self.extent_of(like, dimension)?));
        }
        Some(list)
    }

    /// An array by its name, not a part or an expression of it.
    fn whole_array(&mut self, expr: &Expr) -> Option<Array> {
        match &expr.kind {
            ExprKind::Member(base, _) if 0 < self.rank_of(base) => None,
            _ => self.array(expr),
        }
    }

    /// Notes bounds beside an array; `None` where it is taken to have other lower bounds.
    fn set_bounds(&mut self, array: &Array, bounds: Vec<Bounds>, at: At) -> Option<Vec<Statement>> {
        let mut list = Vec::new();
        for (dimension, (lower, extent)) in bounds.into_iter().enumerate() {
            let own = self.run_time_extent(&array.bounds, dimension, at);
            list.push(evaluate(assign(at, own, extent)));
            let own = self.run_time_lower(&array.bounds, dimension, at);
            match (&own.kind, &lower.kind) {
                (Kind::Integer(own, _), Kind::Integer(lower, _)) if own == lower => {}
                (Kind::Integer(..), _) => return None,
                _ => list.push(evaluate(assign(at, own, lower))),
            }
        }
        Some(list)
    }

    fn number_of_elements(&mut self, array: &Array, at: At) -> Expression {
        let rank = array.variable.shape.as_ref().map_or(0, Shape::rank);
        (0..rank).fold(integer(at, 1), |product, dimension| {
            let extent = self.run_time_extent(&array.bounds, dimension, at);
            binary(at, Binary::Multiply, product, extent)
        })
    }

    /// `p => a`
    pub(super) fn point_to(&mut self, left: &Expr, right: &Expr, at: At) -> Statement {
        let translated = match self.rank_of(left) {
            0 => self.point_to_scalar(left, right, at),
            rank => self.point_to_array(left, right, rank, at),
        };
        translated.unwrap_or_else(|| self.rejected("a pointer to this object".to_owned(), at))
    }

    fn point_to_scalar(&mut self, left: &Expr, right: &Expr, at: At) -> Option<Statement> {
        let Kind::Dereference(pointer) = self.place(left)?.kind else {
            return None;
        };
        let target = self.place(right)?;
        let target = address_of(at, target);
        Some(evaluate(assign(at, *pointer, target)))
    }

    fn point_to_array(
        &mut self,
        left: &Expr,
        right: &Expr,
        rank: usize,
        at: At,
    ) -> Option<Statement> {
        if self.rank_of(right) != rank {
            return None;
        }
        let array = self.array(left)?;
        let start = self.contiguous_start(right)?;
        let bounds = self.bounds_of(right)?;
        let mut list = self.set_bounds(&array, bounds, at)?;
        let start = cast(at, array.variable.kind.pointer(), start);
        list.push(evaluate(assign(at, array.base, start)));
        Some(block(at, list))
    }

    /// `CALL MOVE_ALLOC (from, to)`: `to` is where `from` was.
    pub(super) fn move_allocation(&mut self, arguments: &[Argument], at: At) -> Statement {
        let from = super::intrinsics::argument(arguments, 0, "from");
        let to = super::intrinsics::argument(arguments, 1, "to");
        let moved = match (from, to) {
            (Some(from), Some(to)) => match self.rank_of(to) {
                0 => None,
                rank => self.point_to_array(to, from, rank, at),
            },
            _ => None,
        };
        moved.unwrap_or_else(|| self.rejected("an allocation of this object".to_owned(), at))
    }
}

/// Whether a name stands in an expression.
fn is_mentioned(expr: &Expr, key: &Key) -> bool {
    let mut found = false;
    walk(expr, &mut |part| found |= part.as_name() == Some(key));
    found
}
