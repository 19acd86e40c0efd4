//! Conditions on real numbers that keep their value: `beta == 0`.
//!
//! A real number that a function is given and does not change is known by its name. What a comparison of it
//! with a constant or with another one yields is a size of 0 or 1, which the user may give a value; where
//! none is given, the condition is data.

use super::reals::RealKnowledge;
use super::types::{NumberType, Type};
use super::value::{Slot, Target, Value};
use super::{Lowering, ParameterRow};
use crate::syntax::{At, Binary, Expression as Syntax, ExpressionKind as Kind, Name, Statement};
use premiss_tree::{Expression, ParameterId, ParameterKind};
use std::collections::BTreeMap;

/// A real number with a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct RealId(usize);

/// One side of a comparison.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Side {
    Named(RealId),
    /// A constant, by its bits.
    Constant(u64),
}

/// The reals that are known by name, and the comparisons of them.
#[derive(Default)]
pub(super) struct Truths {
    names: Vec<(Name, At)>,
    known: BTreeMap<(&'static str, Side, Side), ParameterId>,
    /// Whether a comparison was answered by what the user says of all numbers: see [`SizeOptions::dense`].
    ///
    /// [`SizeOptions::dense`]: premiss_link::SizeOptions::dense
    pub(super) is_dense: bool,
}

impl Lowering<'_> {
    /// A real number that keeps its value.
    pub(super) fn named_real(&mut self, name: &Name, at: At, size: NumberType) -> Value {
        let id = RealId(self.truths.names.len());
        self.truths.names.push((name.clone(), at));
        Value::Named(id, size)
    }

    /// Before an outermost loop, gives names to the real variables that it mentions and does not change.
    pub(super) fn name_reals(&mut self, statement: &Statement, at: At) {
        if self.is_in_loop() {
            return;
        }
        let mentions = self.program.name_uses(statement);
        let is_changed = |name: &&Name| mentions.changed.contains(*name);
        for name in mentions.names.iter().filter(|name| !is_changed(name)) {
            let scopes = self.frame_ref().scopes.iter().rev();
            let Some(slot) = scopes.filter_map(|scope| scope.get(name)).next() else {
                continue;
            };
            let (Slot::Real(_, size) | Slot::Data(Type::Floating(size))) = slot else {
                continue;
            };
            let is_constant = matches!(slot, Slot::Real(id, _)
                if matches!(self.state.reals.get(id), Some(RealKnowledge::Constant(_))));
            if !is_constant {
                let value = self.named_real(name, at, *size);
                self.bind(name, Slot::Fixed(value));
            }
        }
    }

    /// The truth of a comparison of which both sides are known by name or value; `None` where they are
    /// not.
    pub(super) fn named_truth(
        &mut self,
        operator: Binary,
        left: &Value,
        right: &Value,
    ) -> Option<Expression> {
        let (a, b) = (side(left)?, side(right)?);
        // `a != b` is the negation of `a == b`; `a <= b` is not that of `b < a`, for numbers that are none.
        let (symbol, a, b, is_negated) = match operator {
            Binary::Equal => ("==", a, b, false),
            Binary::NotEqual => ("==", a, b, true),
            Binary::Less => ("<", a, b, false),
            Binary::Greater => ("<", b, a, false),
            Binary::LessEqual => ("<=", a, b, false),
            Binary::GreaterEqual => ("<=", b, a, false),
            _ => return None,
        };
        let (a, b) = match symbol == "==" && b < a {
            true => (b, a),
            false => (a, b),
        };
        let text = format!("{}{symbol}{}", self.side_text(&a), self.side_text(&b));
        let at = [&a, &b].into_iter().find_map(|side| match side {
            Side::Named(id) => Some(self.truths.names[id.0].1),
            Side::Constant(_) => None,
        })?;
        let key = (symbol, a, b);
        let known = self.truths.known.get(&key).copied();
        let truth = match known {
            Some(id) => Expression::Parameter(id),
            None => {
                let truth = self.truth_of(text, at);
                if let Expression::Parameter(id) = truth {
                    self.truths.known.insert(key, id);
                }
                truth
            }
        };
        Some(match is_negated {
            true => super::integers::negation(truth),
            false => truth,
        })
    }

    /// Whether a number in general position equals a constant, where the user says that data are: `x[j] != 0` and
    /// `alpha != 1` hold. `None` for other comparisons.
    pub(super) fn dense_truth(
        &mut self,
        operator: Binary,
        left: &Value,
        right: &Value,
    ) -> Option<Expression> {
        let is_constant = |value: &Value| matches!(side(value), Some(Side::Constant(_)));
        let is_open = |value: &Value| matches!(value, Value::Floating(None, _));
        let compares = is_constant(right) && is_open(left) || is_constant(left) && is_open(right);
        match compares {
            true => self.dense_answer(operator, 0),
            false => None,
        }
    }

    /// Whether a number equals itself, where the user says that all are numbers: `x != x` asks whether it is none.
    pub(super) fn nan_test(&mut self, operator: Binary, number: &Value) -> Option<Expression> {
        match number.kind() {
            Type::Floating(_) => self.dense_answer(operator, 1),
            _ => None,
        }
    }

    /// What `==` and `!=` yield where both sides are equal or not.
    fn dense_answer(&mut self, operator: Binary, equal: i64) -> Option<Expression> {
        let truth = match operator {
            Binary::Equal => equal,
            Binary::NotEqual => 1 - equal,
            _ => return None,
        };
        if !self.program.is_dense() {
            return None;
        }
        self.truths.is_dense = true;
        Some(truth.into())
    }

    /// Whether two operands are the same real variable, or the same element of an array: `x` and `x`, `a[i]` and
    /// `a[i]`, but not `a[i++]`.
    pub(super) fn is_same_number(&mut self, left: &Syntax, right: &Syntax) -> bool {
        match (&left.kind, &right.kind) {
            (Kind::Name(a), Kind::Name(b)) => a == b || self.is_same_variable(a, b),
            (Kind::Integer(a, _), Kind::Integer(b, _)) => a == b,
            (Kind::Dereference(a), Kind::Dereference(b)) => self.is_same_number(a, b),
            (Kind::Index(a, i), Kind::Index(b, j)) => {
                self.is_same_number(a, b) && self.is_same_number(i, j)
            }
            (Kind::Binary(f, a, i), Kind::Binary(g, b, j)) => {
                f == g && self.is_same_number(a, b) && self.is_same_number(i, j)
            }
            _ => false,
        }
    }

    /// Whether two names stand for one real variable, or for references to one: two dummy arguments that get the same.
    fn is_same_variable(&mut self, a: &Name, b: &Name) -> bool {
        let mut real = |name| match self.lookup(name)? {
            Slot::Real(id, _) => Some((id, false)),
            Slot::Fixed(Value::Pointer(pointer)) => match pointer.target {
                Target::Scalar(slot) => match *slot {
                    Slot::Real(id, _) => Some((id, true)),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        let a = real(a);
        a.is_some() && a == real(b)
    }

    /// The truth of a number that stands for a condition, as in `if (x[j])`.
    pub(super) fn truth_of_value(&mut self, value: Value) -> Expression {
        let zero = Value::Floating(Some(0.0), NumberType::real(8));
        let dense = self.dense_truth(Binary::NotEqual, &value, &zero);
        dense.unwrap_or_else(|| super::conditions::truth(value))
    }

    fn side_text(&self, side: &Side) -> String {
        match side {
            Side::Named(id) => self.truths.names[id.0].0.to_string(),
            Side::Constant(bits) => f64::from_bits(*bits).to_string(),
        }
    }

    /// The size that a condition of that text is.
    fn truth_of(&mut self, text: String, at: At) -> Expression {
        let idx = u32::try_from(self.parameters.len()).unwrap_or(u32::MAX);
        self.parameters.push(ParameterRow {
            name: Name::from(text),
            at,
            kind: super::types::INT,
            value: None,
            is_global: true,
            is_minted: true,
            meaning: ParameterKind::Predicate,
        });
        Expression::Parameter(ParameterId::from_u32(idx))
    }
}

fn side(value: &Value) -> Option<Side> {
    match value {
        Value::Named(id, _) => Some(Side::Named(*id)),
        // -0 equals 0.
        Value::Floating(Some(x), _) => Some(Side::Constant((x + 0.0).to_bits())),
        Value::Integer(Expression::Integer(x), _) => {
            let exact = i32::try_from(*x).ok().map(f64::from)?;
            Some(Side::Constant(exact.to_bits()))
        }
        _ => None,
    }
}
