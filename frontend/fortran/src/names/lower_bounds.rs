//! Arrays that may get lower bounds other than 1 at run time.
//!
//! `ALLOCATE (a(0:n))` gives `a` such a bound, and `p => a`, `ALLOCATE (b, SOURCE = a)`, `c = a`, `CALL MOVE_ALLOC (a,
//! d)` and `CALL s(a)` propagate it to another array. The analysis is flow-insensitive and does not distinguish arrays
//! of the same name: for an array that it includes unnecessarily, lower bounds are variables rather than constants,
//! which is still correct.

use super::constants;
use super::index::ProgramIndex;
use super::inputs::{FileDefinitions, FileInput, ParsedFile, ScopedProcedure};
use super::interface::ArrayLayout;
use super::symbols::{ArraySpec, NameScope, ProcedureId};
use crate::syntax::visit::{expressions, statements, walk};
use crate::syntax::{
    ASSIGNMENT, ActualArgument, ArgumentValue, Expr, ExprKind, NameKey, Statement,
    StatementKind as Kind,
};
use premiss_parallel as parallel;
use std::collections::BTreeSet;

/// A file with such arrays contains at least one of these words.
const WORDS: [&str; 5] = ["allocatable", "allocate", "class", "pointer", "use"];

/// The names of all arrays that may get lower bounds other than 1 at run time.
pub(super) fn arrays_with_run_time_lower_bounds(
    index: &ProgramIndex,
    files: &[FileInput],
    own: &[FileDefinitions],
) -> BTreeSet<NameKey> {
    let files = files.iter().zip(own);
    let changing = files.filter_map(|(file, own)| match file {
        FileInput::Parsed(source) if may_change_bounds(source, own) => Some(own),
        FileInput::Parsed(_) | FileInput::Summarized(..) => None,
    });
    let procedures: Vec<&ScopedProcedure> = changing.flat_map(|own| &own.procedures).collect();
    let of_texts = parallel::map(procedures, |written| {
        let mut search = BoundFlowCollector::new(index);
        statements(&written.ast.body, &mut |statement| {
            search.statement(statement, &written.scope);
        });
        (search.arrays, search.flows)
    });
    let mut all = BoundFlowCollector::new(index);
    for (found, flows) in of_texts {
        all.arrays.extend(found);
        all.flows.extend(flows);
    }
    all.propagate()
}

/// Whether a file may have such arrays, or use modules. In other files all bounds are as declared.
pub(super) fn may_change_bounds(source: &ParsedFile, own: &FileDefinitions) -> bool {
    let words = &source.file.words;
    !own.is_plain || WORDS.iter().any(|word| words.contains(word))
}

struct BoundFlowCollector<'i> {
    index: &'i ProgramIndex,
    arrays: BTreeSet<NameKey>,
    /// Pairs of arrays where the second may get the bounds of the first.
    flows: Vec<(NameKey, NameKey)>,
}

impl<'i> BoundFlowCollector<'i> {
    fn new(index: &'i ProgramIndex) -> Self {
        Self {
            index,
            arrays: BTreeSet::new(),
            flows: Vec::new(),
        }
    }

    fn statement(&mut self, statement: &Statement, scope: &NameScope) {
        match &statement.kind {
            Kind::Allocate(objects, options) => {
                for object in objects {
                    self.record_allocation_bounds(object);
                    if let Some((_, source)) = &options.source {
                        self.flow(source, object, scope);
                    }
                }
            }
            Kind::PointTo(left, right) => {
                self.record_allocation_bounds(left);
                self.flow(right, left, scope);
            }
            Kind::Assign(left, right) => {
                self.flow(right, left, scope);
                self.operation(ASSIGNMENT, &[left, right], scope);
            }
            Kind::Call(callee, arguments) => self.call(callee, arguments, scope),
            _ => {}
        }
        for expr in expressions(statement) {
            walk(expr, &mut |part| match &part.kind {
                ExprKind::Apply(callee, arguments) => self.call(callee, arguments, scope),
                ExprKind::Binary(op, a, b) => self.operation(op.generic_name(), &[a, b], scope),
                ExprKind::Unary(op, x) => self.operation(op.generic_name(), &[x], scope),
                ExprKind::Defined(name, operands) => {
                    let operands: Vec<&Expr> = operands.iter().collect();
                    self.operation(name, &operands, scope);
                }
                _ => {}
            });
        }
    }

    /// Records an array that is allocated as `a(0:n)`.
    fn record_allocation_bounds(&mut self, object: &Expr) {
        let ExprKind::Apply(base, arguments) = &object.kind else {
            return;
        };
        let has_lower = |one: &ActualArgument| match &one.value {
            ArgumentValue::Section(section) => {
                section.first.as_ref().is_some_and(|lower| !is_one(lower))
            }
            _ => false,
        };
        if let Some(key) = whole_array_key(base)
            && arguments.iter().any(has_lower)
        {
            self.arrays.insert(key.clone());
        }
    }

    /// Records that an array may get the bounds of another one.
    fn flow(&mut self, from: &Expr, to: &Expr, scope: &NameScope) {
        let (Some(from_key), Some(to_key)) = (whole_array_key(from), whole_array_key(to)) else {
            return;
        };
        let starts_elsewhere = matches!(&from.kind, ExprKind::Name(key)
            if scope.variable(key).is_some_and(|x| x.shape.as_ref().is_some_and(|x| has_lower(x, scope))));
        if starts_elsewhere {
            self.arrays.insert(to_key.clone());
        }
        self.flows.push((from_key.clone(), to_key.clone()));
    }

    fn call(&mut self, callee: &Expr, arguments: &[ActualArgument], scope: &NameScope) {
        let Some(key) = callee.as_name() else { return };
        let ids = self.index.callees(scope, key);
        if let ([from, to, ..], "move_alloc", []) = (arguments, &**key, &ids[..])
            && let (Some(from), Some(to)) = (from.expr(), to.expr())
        {
            self.flow(from, to, scope);
        }
        for id in ids {
            let interface = &self.index.procedure(id).summary.interface;
            for (idx, argument) in arguments.iter().enumerate() {
                let position = interface.position(idx, argument.keyword.as_ref());
                if let Some(actual) = argument.expr() {
                    self.bind_argument(id, position, actual);
                }
            }
        }
    }

    /// An operation that procedures may define.
    fn operation(&mut self, generic: &str, operands: &[&Expr], scope: &NameScope) {
        if scope.lookup(generic).is_none() {
            return;
        }
        for id in self.index.callees(scope, &NameKey::from(generic)) {
            for (position, operand) in operands.iter().enumerate() {
                self.bind_argument(id, position, operand);
            }
        }
    }

    /// A dummy argument that is allocatable or a pointer gets the bounds of the actual one, and vice versa.
    fn bind_argument(&mut self, id: ProcedureId, position: usize, actual: &Expr) {
        let Some(actual) = whole_array_key(actual) else {
            return;
        };
        let interface = &self.index.procedure(id).summary.interface;
        let Some(dummy) = interface.dummy(position) else {
            return;
        };
        let layout = dummy.variable.as_ref().and_then(|x| x.layout);
        if matches!(layout, Some(ArrayLayout::Deferred(_))) {
            self.flows.push((actual.clone(), dummy.key.clone()));
            self.flows.push((dummy.key.clone(), actual.clone()));
        }
    }

    fn propagate(mut self) -> BTreeSet<NameKey> {
        loop {
            let before = self.arrays.len();
            for (from, to) in &self.flows {
                if self.arrays.contains(from) {
                    self.arrays.insert(to.clone());
                }
            }
            if self.arrays.len() == before {
                return self.arrays;
            }
        }
    }
}

/// The name of the whole array that an expression is: a variable or component.
fn whole_array_key(expr: &Expr) -> Option<&NameKey> {
    match &expr.kind {
        ExprKind::Name(key) | ExprKind::Member(_, key) => Some(key),
        _ => None,
    }
}

/// Whether a declared shape has a lower bound other than 1.
fn has_lower(shape: &ArraySpec, scope: &NameScope) -> bool {
    let is_other = |lower: &Option<Expr>| {
        let lower = lower.as_ref();
        lower.is_some_and(|lower| constants::integer(lower, scope) != Some(1))
    };
    match shape {
        ArraySpec::Explicit(bounds) => bounds.iter().any(|(lower, _)| is_other(lower)),
        ArraySpec::Assumed(lower) => lower.iter().any(is_other),
        ArraySpec::Deferred(_) => false,
    }
}

fn is_one(lower: &Expr) -> bool {
    matches!(lower.kind, ExprKind::Integer(1, _))
}
