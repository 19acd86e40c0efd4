//! `switch` on integers: each label starts an arm that extends to its `break` or to the end of the body.
//!
//! `switch (x) { case 1: A; case 2: B; break; default: C; }` is lowered as `if (x == 1) { A; B; } else if (x == 2) {
//! B; } else { C; }`.

use crate::bailout::Lowered;
use crate::context::Lowering;
use crate::control::jump_flags::assume_not_returned;
use crate::control::returns::lower_with_exits;
use crate::control::tail::Tail;
use crate::domain::values::Value;
use crate::eval::integer_arithmetic::convert_integer;
use crate::eval::variables::pin_value;
use crate::syntax::{Expression as Syntax, Statement, StatementKind, TextRange};
use premiss_ast::visit::{breaks, contains, continues, leaves_function};
use premiss_tree::{BinaryOperator as Op, Expression};

/// The maximum number of labels; each label is one level of branches.
const MAX_LABELS: usize = 64;

/// The body of a `switch` with its labels and exits.
pub(crate) struct SwitchCases<'s> {
    /// The statements without their labels.
    pub(crate) statements: Vec<&'s Statement>,
    /// The value of each label and the index of its statement; `None` is `default`.
    pub(crate) labels: Vec<(Option<&'s Syntax>, usize)>,
}

/// Analyses the body of a `switch`. `None` if one of its statements contains a label, or a `break` that does not end
/// an arm.
pub(crate) fn switch_cases(body: &Statement) -> Option<SwitchCases<'_>> {
    let StatementKind::Block(list) = &body.kind else {
        return None;
    };
    let mut cases = SwitchCases {
        statements: Vec::new(),
        labels: Vec::new(),
    };
    for statement in list {
        let mut statement = statement;
        while let StatementKind::Case(value, inner) = &statement.kind {
            cases.labels.push((value.as_ref(), cases.statements.len()));
            statement = inner;
        }
        let is_declaration = matches!(statement.kind, StatementKind::Declarations(_));
        if is_declaration || leaves_inside(statement) {
            return None;
        }
        cases.statements.push(statement);
    }
    let n_defaults = cases.labels.iter().filter(|label| label.0.is_none());
    (n_defaults.count() <= 1 && cases.labels.len() <= MAX_LABELS).then_some(cases)
}

/// Whether a statement of the body contains a label, or a `break` other than at its end.
fn leaves_inside(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Break => false,
        StatementKind::Block(list) => match list.split_last() {
            Some((last, before)) => {
                let is_block = matches!(last.kind, StatementKind::Block(_));
                let goes_on = |s: &Statement| continues(s) || leaves_function(s);
                let jumps = |s: &Statement| breaks_or_labels(s) || (is_block && goes_on(s));
                before.iter().any(jumps) || leaves_inside(last)
            }
            None => false,
        },
        _ => breaks_or_labels(statement),
    }
}

/// Whether a statement contains a `break` of an enclosing statement, or a label.
fn breaks_or_labels(statement: &Statement) -> bool {
    breaks(statement)
        || contains(statement, &|kind| {
            matches!(kind, StatementKind::Label(..) | StatementKind::Case(..))
        })
}

/// Whether an arm ends with this statement.
fn ends_arm(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Break
        | StatementKind::Continue
        | StatementKind::Return(_)
        | StatementKind::Stop(_)
        | StatementKind::Goto(_) => true,
        StatementKind::Block(list) => list.last().is_some_and(ends_arm),
        _ => false,
    }
}

/// Lowers a `switch` with known cases; false if its value is not an integer, or a label is not constant.
pub(crate) fn lower_switch(
    ctx: &mut Lowering,
    value: &Syntax,
    cases: &SwitchCases,
    at: TextRange,
) -> Lowered<bool> {
    let Value::Integer(value, kind) = ctx.expression(value)? else {
        return Ok(false);
    };
    let mut labels = Vec::new();
    let mut default = None;
    for (label, start) in &cases.labels {
        let Some(syntax) = label else {
            default = Some(*start);
            continue;
        };
        let Value::Integer(label, label_kind) = ctx.expression(syntax)? else {
            return Ok(false);
        };
        let label = convert_integer(ctx, label, label_kind, kind);
        if label.as_integer().is_none() {
            return Ok(false);
        }
        labels.push((label, *start));
    }
    let value = pin_value(ctx, value, "switch");
    ctx.in_scope(|ctx| lower_switch_arms(ctx, &value, &labels, default, cases, at))?;
    Ok(true)
}

/// Lowers a comparison with the first label, and the other labels as its alternative.
fn lower_switch_arms(
    ctx: &mut Lowering,
    value: &Expression,
    labels: &[(Expression, usize)],
    default: Option<usize>,
    cases: &SwitchCases,
    at: TextRange,
) -> Lowered<()> {
    let Some(((label, start), rest)) = labels.split_first() else {
        return match default {
            Some(start) => lower_switch_arm(ctx, cases, start),
            None => Ok(()),
        };
    };
    let same = rest.iter().take_while(|other| other.1 == *start).count();
    let (others, rest) = rest.split_at(same);
    let equal = |label: &Expression| Expression::binary(Op::Equal, value.clone(), label.clone());
    let condition = others.iter().fold(equal(label), |condition, other| {
        Expression::binary(Op::Or, condition, equal(&other.0))
    });
    match condition.as_integer() {
        Some(0) => lower_switch_arms(ctx, value, rest, default, cases, at),
        Some(_) => lower_switch_arm(ctx, cases, *start),
        None => {
            let otherwise = |ctx: &mut Lowering| {
                ctx.deeper(at, |ctx| {
                    lower_switch_arms(ctx, value, rest, default, cases, at)
                })
            };
            ctx.branch(
                condition,
                |ctx| lower_switch_arm(ctx, cases, *start),
                otherwise,
            )?;
            Ok(())
        }
    }
}

/// Lowers the statements from a label to the `break` that ends them.
fn lower_switch_arm(ctx: &mut Lowering, cases: &SwitchCases, start: usize) -> Lowered<()> {
    let Some(statement) = cases.statements.get(start) else {
        return Ok(());
    };
    if ends_arm(statement) {
        return lower_up_to_break(ctx, statement);
    }
    let outer = ctx.frame().control.returned;
    let reached = lower_with_exits(ctx, statement)?;
    match reached.as_integer() {
        Some(0) => {}
        Some(_) => ctx.deeper(statement.at, |ctx| lower_switch_arm(ctx, cases, start + 1))?,
        None => {
            let rest = |ctx: &mut Lowering| {
                assume_not_returned(ctx);
                lower_switch_arm(ctx, cases, start + 1)
            };
            ctx.branch(reached, rest, |_| Ok(()))?;
        }
    }
    ctx.frame_mut().control.returned = outer;
    Ok(())
}

fn lower_up_to_break(ctx: &mut Lowering, statement: &Statement) -> Lowered<()> {
    match &statement.kind {
        StatementKind::Break => Ok(()),
        StatementKind::Block(list) if ends_arm(statement) => ctx.in_scope(|ctx| {
            let Some((last, before)) = list.split_last() else {
                return Ok(());
            };
            match last.kind {
                StatementKind::Continue
                | StatementKind::Return(_)
                | StatementKind::Stop(_)
                | StatementKind::Goto(_) => ctx.statements(list, Tail::NONE),
                _ => {
                    ctx.statements(before, Tail::NONE)?;
                    lower_up_to_break(ctx, last)
                }
            }
        }),
        _ => ctx.statement(statement, Tail::NONE),
    }
}
