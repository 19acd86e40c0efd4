//! Arrays whose lower bounds are not all 1 and are known when the program runs only.
//!
//! `ALLOCATE (a(0:n))` gives `a` such a bound, and `p => a`, `ALLOCATE (b, SOURCE = a)`, `c = a`,
//! `CALL MOVE_ALLOC (a, d)` and `CALL s(a)` hand it on. Arrays are told apart by their names alone: one too
//! many has its lower bounds beside it in a variable, which is as right as a 1 in the text.

use super::index::{Index, ProcedureId, Source};
use super::intents::position;
use super::mentioned::{expressions, statements, walk};
use super::{Scope, Shape, constants};
use crate::syntax::{
    Argument, ArgumentValue, Expr, ExprKind, Key, Statement, StatementKind as Kind,
};
use premiss_imperative::side_by_side;
use std::collections::BTreeSet;

/// Words one of which stands in each file that may have such arrays: bounds of others do not change.
const WORDS: [&str; 6] = ["allocatable", "allocate", "class", "pointer", "type", "use"];

/// The names of all such arrays.
pub(super) fn lowered(index: &Index, sources: &[Source]) -> BTreeSet<Key> {
    let has_words = |source: &Source| WORDS.iter().any(|word| source.file.names.contains(word));
    let has_words: Vec<bool> = sources.iter().map(has_words).collect();
    let of_texts = side_by_side(&index.procedures, |procedure| {
        let mut search = Search::of(index);
        if !has_words[procedure.unit.0 as usize] {
            return (search.found, search.flows);
        }
        statements(&procedure.ast.body, &mut |statement| {
            search.statement(statement, &procedure.scope);
        });
        (search.found, search.flows)
    });
    let mut all = Search::of(index);
    for (found, flows) in of_texts {
        all.found.extend(found);
        all.flows.extend(flows);
    }
    all.settle()
}

struct Search<'i, 'a> {
    index: &'i Index<'a>,
    found: BTreeSet<Key>,
    /// Arrays whose bounds others get.
    flows: Vec<(Key, Key)>,
}

impl<'i, 'a> Search<'i, 'a> {
    fn of(index: &'i Index<'a>) -> Self {
        Self {
            index,
            found: BTreeSet::new(),
            flows: Vec::new(),
        }
    }

    fn statement(&mut self, statement: &Statement, scope: &Scope) {
        match &statement.kind {
            Kind::Allocate(objects, options) => {
                for object in objects {
                    self.note_bounds(object);
                    if let Some((_, like)) = &options.like {
                        self.flow(like, object, scope);
                    }
                }
            }
            Kind::PointTo(left, right) => {
                self.note_bounds(left);
                self.flow(right, left, scope);
            }
            Kind::Assign(left, right) => self.flow(right, left, scope),
            Kind::Call(callee, arguments) => self.call(callee, arguments, scope),
            _ => {}
        }
        for expr in expressions(statement) {
            walk(expr, &mut |part| {
                if let ExprKind::Apply(callee, arguments) = &part.kind {
                    self.call(callee, arguments, scope);
                }
            });
        }
    }

    /// Notes an array that is allocated as `a(0:n)`.
    fn note_bounds(&mut self, object: &Expr) {
        let ExprKind::Apply(base, arguments) = &object.kind else {
            return;
        };
        let has_lower = |one: &Argument| match &one.value {
            ArgumentValue::Section(section) => {
                section.first.as_ref().is_some_and(|lower| !is_one(lower))
            }
            _ => false,
        };
        if let Some(key) = whole(base)
            && arguments.iter().any(has_lower)
        {
            self.found.insert(key.clone());
        }
    }

    /// One array may get the bounds of another one.
    fn flow(&mut self, from: &Expr, to: &Expr, scope: &Scope) {
        let (Some(from_key), Some(to_key)) = (whole(from), whole(to)) else {
            return;
        };
        let starts_elsewhere = matches!(&from.kind, ExprKind::Name(key)
            if scope.variable(key).is_some_and(|x| x.shape.as_ref().is_some_and(|x| has_lower(x, scope))));
        if starts_elsewhere {
            self.found.insert(to_key.clone());
        }
        self.flows.push((from_key.clone(), to_key.clone()));
    }

    fn call(&mut self, callee: &Expr, arguments: &[Argument], scope: &Scope) {
        let Some(key) = callee.as_name() else { return };
        let ids = self.index.callees(scope, key);
        if let ([from, to, ..], "move_alloc", []) = (arguments, &**key, &ids[..])
            && let (Some(from), Some(to)) = (from.expr(), to.expr())
        {
            self.flow(from, to, scope);
        }
        for id in ids {
            for (idx, argument) in arguments.iter().enumerate() {
                self.hand_over(id, idx, argument);
            }
        }
    }

    /// A dummy argument that is allocated or points has the bounds of the actual one, there and back.
    fn hand_over(&mut self, id: ProcedureId, idx: usize, argument: &Argument) {
        let Some(actual) = argument.expr().and_then(whole) else {
            return;
        };
        let callee = self.index.procedure(id);
        let idx = position(self.index, id, idx, argument.keyword.as_ref());
        let Some(Some(dummy)) = callee.ast.dummies.get(idx) else {
            return;
        };
        let variable = callee.scope.variable(&dummy.key);
        if variable.is_some_and(|x| matches!(x.shape, Some(Shape::Deferred(_)))) {
            self.flows.push((actual.clone(), dummy.key.clone()));
            self.flows.push((dummy.key.clone(), actual.clone()));
        }
    }

    fn settle(mut self) -> BTreeSet<Key> {
        loop {
            let before = self.found.len();
            for (from, to) in &self.flows {
                if self.found.contains(from) {
                    self.found.insert(to.clone());
                }
            }
            if self.found.len() == before {
                return self.found;
            }
        }
    }
}

/// The name of an array that an expression is, whole: a variable or a component.
fn whole(expr: &Expr) -> Option<&Key> {
    match &expr.kind {
        ExprKind::Name(key) | ExprKind::Member(_, key) => Some(key),
        _ => None,
    }
}

/// Whether a declared shape has another lower bound than 1.
fn has_lower(shape: &Shape, scope: &Scope) -> bool {
    let is_other = |lower: &Option<Expr>| {
        let lower = lower.as_ref();
        lower.is_some_and(|lower| constants::integer(lower, scope) != Some(1))
    };
    match shape {
        Shape::Explicit(bounds) => bounds.iter().any(|(lower, _)| is_other(lower)),
        Shape::Assumed(lower) => lower.iter().any(is_other),
        Shape::Deferred(_) => false,
    }
}

fn is_one(lower: &Expr) -> bool {
    matches!(lower.kind, ExprKind::Integer(1, _))
}
