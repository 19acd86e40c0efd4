//! The body of a function, put into the imperative syntax.
//!
//! Expressions become expressions where that language has them, and statements before the one at hand where
//! not: the block that is being made is at hand, and what is evaluated first is in it first. Where an operand
//! needs statements, those before it are held in variables, so that accesses keep their order.

mod arithmetic;
mod blocks;
mod bodies;
mod calls;
mod casts;
mod chains;
mod closures;
mod consumers;
mod control;
mod copies;
mod drive;
mod expressions;
mod fields;
mod function;
mod grids;
mod holes;
mod indices;
mod lengths;
mod loops;
mod macros;
mod matches;
mod methods;
mod numbers;
mod patterns;
mod slices;
mod structs;
mod vectors;

pub(crate) use function::{constant, lower};

use crate::build;
use crate::context::{Context, Scope};
use crate::ground::Copied;
use crate::types::Ty;
use crate::value::{Environment, Value};
use premiss_ast::syntax::{At, Expression, ExpressionKind, Name, Statement, TypeName};
use premiss_tree::RejectReason;
use proc_macro2::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use syn::spanned::Spanned;

/// How deep calls are put in the place of others.
const MAX_INLINED: usize = 12;
/// How many statements the body of one function may become.
const MAX_STATEMENTS: usize = 50_000;
/// How many statements all bodies may become together, each as often as it is read.
const MAX_ALL_STATEMENTS: usize = 3_000_000;

/// A body that is being made.
pub(crate) struct Body<'a, 'c> {
    ctx: &'c mut Context<'a>,
    /// What parameters of the function stand for.
    scope: Arc<Scope>,
    /// Which of the files it stands in, and which copy of it.
    unit: usize,
    copy: Copied,
    sees: Environment<'a>,
    block: Vec<Statement>,
    /// The names that variables of the blocks around have.
    taken: Vec<BTreeSet<Name>>,
    /// Variables that change.
    changing: BTreeSet<Name>,
    loops: Vec<control::Around<'a>>,
    returns: control::Returns<'a>,
    /// The functions and closures that are being put in the place of calls.
    inlined: Vec<closures::Inlined>,
    /// What the function at hand yields.
    result: Ty,
    /// The name of the variable that is being given a value.
    wanted: Option<String>,
    /// What conditions with `let` bind where they hold.
    lets: Vec<(&'a syn::Pat, Value<'a>)>,
    /// Variables that hold what was made just now, and that nothing else names.
    made: BTreeSet<Name>,
    /// What holes are, as far as that is known.
    holes: BTreeMap<usize, Ty>,
    n_labels: usize,
    n_statements: usize,
    /// How many loops of the imperative syntax are open.
    n_loops: usize,
}

impl<'a> Body<'a, '_> {
    /// The place of a part of the text.
    fn at(&self, part: &impl Spanned) -> At {
        self.place(part.span())
    }

    fn place(&self, span: Span) -> At {
        self.ctx.grounds[self.unit].at(self.copy, span.byte_range())
    }

    /// Places that nothing else has, for what is written once and stands for several things.
    fn fresh_at(&self, at: At) -> At {
        self.ctx.grounds[self.unit].fresh(at)
    }

    fn emit(&mut self, statement: Statement) {
        self.n_statements += 1;
        self.ctx.n_statements += 1;
        self.block.push(statement);
    }

    /// Makes statements aside, with names of their own.
    fn aside<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> (Vec<Statement>, T) {
        let around = std::mem::take(&mut self.block);
        let sees = self.sees.clone();
        self.taken.push(BTreeSet::new());
        let made = make(self);
        self.taken.pop();
        self.sees = sees;
        (std::mem::replace(&mut self.block, around), made)
    }

    /// A name for a variable, the given one where no other variable has it.
    fn new_name(&mut self, wanted: &str) -> Name {
        let is_taken = |name: &str| self.taken.iter().any(|block| block.contains(name));
        let mut name = wanted.to_owned();
        let mut number = 2;
        while is_taken(&name) {
            name = format!("{wanted}'{number}");
            number += 1;
        }
        let name = Name::from(name);
        if let Some(block) = self.taken.last_mut() {
            block.insert(name.clone());
        }
        name
    }

    /// A new variable with a value.
    fn variable(&mut self, at: At, wanted: &str, kind: TypeName, value: Expression) -> Expression {
        let name = self.new_name(wanted);
        let made = build::declaration(at, &name, kind, Some(value));
        self.emit(made);
        build::name(at, &name)
    }

    /// Whether an expression keeps its value, whatever is done later on.
    fn is_stable(&self, expression: &Expression) -> bool {
        use ExpressionKind as Kind;
        match &expression.kind {
            Kind::Name(name) => !self.changing.contains(name),
            Kind::Integer(..) | Kind::Floating(..) => true,
            Kind::Unary(_, x) | Kind::Cast(_, x) => self.is_stable(x),
            Kind::Binary(_, a, b) => self.is_stable(a) && self.is_stable(b),
            Kind::Conditional(operands) => operands.iter().all(|x| self.is_stable(x)),
            Kind::AddressOf(place) => match &place.kind {
                Kind::Index(a, b) => self.is_stable(a) && self.is_stable(b),
                Kind::Name(_) => true,
                _ => false,
            },
            _ => false,
        }
    }

    /// An integer in a form that keeps its value.
    fn stable(&mut self, expression: Expression, wanted: &str) -> Expression {
        if self.is_stable(&expression) {
            return expression;
        }
        let at = expression.at;
        let kept = self.variable(at, wanted, build::wide(), expression);
        Expression { at, ..kept }
    }

    /// A value whose parts keep what they are, and can be evaluated several times.
    fn held(&mut self, value: Value<'a>, wanted: &str) -> Value<'a> {
        if let Value::Plain(expression, kind) = &value {
            let is_whole = matches!(kind, Ty::Array(..) | Ty::Record(..));
            if (is_whole && build::is_place(expression)) || self.is_stable(expression) {
                return value;
            }
        }
        let mut parts = Vec::new();
        value.parts(&mut parts);
        if parts.iter().all(|part| self.is_stable(part)) {
            return value;
        }
        let kinds = self.part_kinds(&value);
        let mut held = Vec::new();
        for (part, (suffix, kind)) in parts.into_iter().zip(kinds) {
            held.push(match self.is_stable(&part) {
                true => part,
                false => {
                    let at = part.at;
                    let name = format!("{wanted}{suffix}");
                    self.variable(at, &name, kind, part)
                }
            });
        }
        value.with_parts(&mut held.into_iter())
    }

    /// The types of the parts of a value, with the ends of their names.
    fn part_kinds(&mut self, value: &Value<'a>) -> Vec<(String, TypeName)> {
        match value {
            Value::Tuple(parts) => {
                let mut all = Vec::new();
                for (idx, part) in parts.iter().enumerate() {
                    let inner = self.part_kinds(part).into_iter();
                    all.extend(inner.map(|(name, kind)| (format!(".{idx}{name}"), kind)));
                }
                all
            }
            Value::Maybe(_, value) => {
                let inner = self.part_kinds(value);
                [(".is_some()".to_owned(), build::wide())]
                    .into_iter()
                    .chain(inner)
                    .collect()
            }
            Value::Alias(value) => self.part_kinds(value),
            Value::Range(range) => {
                let bound = |name: &str| (name.to_owned(), build::wide());
                let start = range.start.iter().map(|_| bound(".start"));
                start
                    .chain(range.end.iter().map(|_| bound(".end")))
                    .collect()
            }
            other => self.parts_of(&other.kind()),
        }
    }

    /// Evaluates operands in order. Where a later one needs statements, those before it are held.
    fn in_order<T>(
        &mut self,
        first: Value<'a>,
        then: impl FnOnce(&mut Self) -> T,
    ) -> (Value<'a>, T) {
        let place = self.block.len();
        let second = then(self);
        if place == self.block.len() {
            return (first, second);
        }
        let after = self.block.split_off(place);
        let first = self.held(first, "held");
        self.block.extend(after);
        (first, second)
    }

    /// Something that is not understood and may do anything.
    fn reject(&mut self, reason: RejectReason, at: At) -> Value<'a> {
        let made = build::evaluated(build::rejected(at, reason));
        self.emit(made);
        Value::Unknown(Ty::rejected())
    }

    fn unsupported(&mut self, construct: impl Into<String>, at: At) -> Value<'a> {
        let construct = construct.into();
        self.reject(RejectReason::Unsupported { construct }, at)
    }

    /// An integer that only running the program would tell.
    fn data(&self, at: At) -> Expression {
        build::data(at, build::wide())
    }

    /// A value of a type that only running the program would tell.
    fn data_of(&mut self, kind: &Ty, at: At) -> Value<'a> {
        match self.solved(kind) {
            kind if kind.is_scalar() => {
                let memory = self.memory(&kind);
                Value::Plain(build::data(at, kind.variable(memory)), kind)
            }
            Ty::Unit => Value::Unit,
            kind => Value::Unknown(kind),
        }
    }
}
