//! `match`: a chain of branches.

use super::{Body, build};
use crate::types::Ty;
use crate::value::Value;
use premiss_ast::syntax::{At, Expression, Statement};
use syn::{Arm, Pat};

/// An arm that was looked at: when it is taken, what it does, what it yields.
type Made<'a> = (Option<Expression>, (Vec<Statement>, Value<'a>));

impl<'a> Body<'a, '_> {
    pub(super) fn match_expression(
        &mut self,
        choice: &'a syn::ExprMatch,
        at: At,
        expected: Option<&Ty>,
    ) -> Value<'a> {
        let value = self.expression(&choice.expr, None);
        let value = match value {
            Value::Plain(place, kind) if self.solved(&kind).is_scalar() => {
                let number = self.loaded(place, &kind);
                self.held(Value::Plain(number, kind), "matched")
            }
            value => self.held(value, "matched"),
        };
        let mut made: Vec<Made<'a>> = Vec::new();
        for arm in &choice.arms {
            let condition = self.arm_condition(arm, &value);
            let is_last = condition.is_none();
            let body = self.aside(|body| {
                body.bind(&arm.pat, value.clone());
                body.expression(&arm.body, expected)
            });
            made.push((condition, body));
            if is_last {
                break;
            }
        }
        self.chain(made, at)
    }

    fn arm_condition(&mut self, arm: &'a Arm, value: &Value<'a>) -> Option<Expression> {
        let Pat::Guard(guarded) = &arm.pat else {
            return self.matches(&arm.pat, value);
        };
        let guard = &guarded.guard;
        let condition = self.matches(&guarded.pat, value);
        let (statements, truth) = self.aside(|body| {
            body.bind(&arm.pat, value.clone());
            body.condition(guard)
        });
        let truth = self.after(statements, truth);
        Some(match condition {
            Some(condition) => build::and(truth.at, condition, truth),
            None => truth,
        })
    }

    /// The first arm whose condition holds.
    fn chain(&mut self, made: Vec<Made<'a>>, at: At) -> Value<'a> {
        let (conditions, mut arms): (Vec<_>, Vec<_>) = made.into_iter().unzip();
        if let ([Some(condition), None] | [None, Some(condition)], 2) =
            (conditions.as_slice(), arms.len())
            && let (Some(otherwise), Some(then)) = (arms.pop(), arms.pop())
        {
            return self.choice(condition.clone(), then, otherwise, at);
        }
        let result = self.merged(&mut arms, at);
        let mut rest: Vec<Statement> = Vec::new();
        let mut is_behind = true;
        for (condition, (list, _)) in conditions.into_iter().zip(arms).rev() {
            // Some arm is taken: the last one where no other is.
            rest = match (condition, is_behind) {
                (None, _) | (_, true) => list,
                (Some(condition), false) => {
                    let (branch, ()) = self.aside_keeping(|body| {
                        body.emit_if(condition, list, rest, at);
                    });
                    branch
                }
            };
            is_behind = false;
        }
        for statement in rest {
            self.emit(statement);
        }
        result
    }
}
