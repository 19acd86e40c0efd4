//! Bounds that each iteration moves, too: `while (lo < hi) { …; lo++; hi--; }`.
//!
//! If the iterator starts at `first` and steps by `c`, and the bound starts at `last` and steps by `d`, each iteration
//! takes `c - d` from the gap `last - first`. So there are as many iterations as that goes into the gap, rounded up, and
//! the iterator could as well be compared with where it is then: `lo < (lo + hi + 1) / 2` with the first values.

use crate::context::Lowering;
use crate::domain::integers::{minus, plus, times};
use crate::domain::state::IntegerKnowledge;
use crate::domain::values::Slot;
use crate::eval::integer_bounds::is_non_negative;
use crate::eval::variables::{pin_value, read_integer};
use crate::loops::loop_shape::{InductionVariable, LoopParts, LoopShape, TestPosition};
use crate::syntax::{
    Binary, Declaration, Expression as Syntax, ExpressionKind, Name, Notation, Statement,
    StatementKind,
};
use premiss_ast::visit::{contains, continues};
use premiss_ast::{InductionStep, SyntaxFacts, constant_step, variable_name};
use premiss_tree::{BinaryOperator as Op, Expression, UnaryOperator};

/// What the iterator of a loop can be compared with, if its only test compares it with a variable that each iteration
/// steps by a constant; `first` is its first value.
pub(crate) fn moving_bound(
    ctx: &mut Lowering,
    parts: &LoopParts,
    shape: &LoopShape,
    iterator: &InductionVariable,
    first: &Expression,
) -> Option<Expression> {
    let [test] = &shape.tests[..] else {
        return None;
    };
    let (TestPosition::Before, None) = (shape.tested, test.change) else {
        return None;
    };
    let by = constant(shape.step)?;
    let name = variable_name(test.bound?)?;
    let bound_by = step_of(parts, name)?;
    let Some(Slot::Integer(id, kind)) = ctx.lookup(name) else {
        return None;
    };
    let is_plain = test.plus.is_empty() && iterator.pointer.is_none();
    if !is_plain || kind != iterator.kind || kind.bits < 32 {
        return None;
    }
    let (sign, closing) = (by.signum(), by.checked_sub(bound_by)?);
    let closing = closing.checked_mul(sign).filter(|closing| 0 < *closing)?;
    let beyond = match (test.operator, sign) {
        (Binary::Less, 1) | (Binary::Greater, -1) => closing - 1,
        (Binary::LessEqual, 1) | (Binary::GreaterEqual, -1) => closing,
        _ => return None,
    };
    let last = match read_integer(ctx, id)? {
        IntegerKnowledge::Symbolic(value) => value.clone(),
        IntegerKnowledge::Exact => Expression::Variable(id),
        IntegerKnowledge::Unknown => return None,
    };
    let wraps = ctx.program.notation(ctx.unit()) == Notation::C && !kind.signed && kind.bits == 64;
    let last = match wraps && !is_non_negative(ctx, &last) {
        true => Expression::unary(UnaryOperator::Unsigned, last),
        false => last,
    };
    let last = pin_value(ctx, last, name);
    let first = pin_value(ctx, first.clone(), &shape.iterator);
    let gap = times(minus(last, first.clone()), sign.into());
    let count = Expression::binary(Op::Quotient, plus(gap, beyond.into()), closing.into());
    let operator_at_equality = match test.operator {
        Binary::LessEqual | Binary::GreaterEqual => sign,
        _ => 0,
    };
    // As many steps later, the iterator is where the loop ends: `<=` and `>=` end one before that.
    let end = plus(first, times(count, by.into()));
    Some(minus(end, operator_at_equality.into()))
}

/// The step, if it is a constant.
fn constant(step: InductionStep<'_>) -> Option<i64> {
    match step {
        InductionStep::Constant(by) => Some(by),
        InductionStep::Plus(by) => integer(by),
        InductionStep::Minus(by) => integer(by)?.checked_neg(),
    }
}

/// By how much each iteration steps a variable, in one statement of its own.
fn step_of(parts: &LoopParts, name: &Name) -> Option<i64> {
    let statements = match parts.body {
        [
            Statement {
                kind: StatementKind::Block(list),
                ..
            },
        ] => list,
        list => list,
    };
    let mut step = None;
    for statement in statements {
        if declares(statement, name) || contains(statement, &is_jump) || continues(statement) {
            return None;
        }
        if SyntaxFacts::of_statement(statement).changed.contains(name) {
            let StatementKind::Expression(syntax) = &statement.kind else {
                return None;
            };
            step = only(step, constant_step(syntax), name)?;
        }
    }
    for syntax in &parts.steps {
        if SyntaxFacts::of_expression(syntax).changed.contains(name) {
            step = only(step, constant_step(syntax), name)?;
        }
    }
    step
}

/// The amount of the only step; `None` where there was one before, or where this is none.
fn only(before: Option<i64>, step: Option<(&Name, i64)>, name: &Name) -> Option<Option<i64>> {
    let by = step
        .filter(|(changed, _)| *changed == name)
        .map(|(_, by)| by)?;
    before.is_none().then_some(Some(by))
}

fn integer(syntax: &Syntax) -> Option<i64> {
    match syntax.kind {
        ExpressionKind::Integer(value, _) => Some(value),
        _ => None,
    }
}

fn declares(statement: &Statement, name: &Name) -> bool {
    let is_own = |declaration: &Declaration| match declaration {
        Declaration::Object(object) => object.name == *name,
        Declaration::Enumerator { name: other, .. } => other == name,
    };
    let declared = |kind: &StatementKind| match kind {
        StatementKind::Declarations(list) => list.iter().any(is_own),
        _ => false,
    };
    contains(statement, &declared)
}

fn is_jump(kind: &StatementKind) -> bool {
    matches!(kind, StatementKind::Goto(_))
}
