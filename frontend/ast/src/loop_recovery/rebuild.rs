//! Rewrites a backward jump as a loop.

use super::{Jumps, collect_labels, in_list, jumps_to};
use crate::syntax::{
    Expression, ExpressionKind, Name, Statement, StatementKind, TextRange, TypeName, Unary,
};
use crate::visit::{children_mut, leading_labels};
use premiss_tree::IntegerType;
use std::sync::Arc;

fn without_labels(statement: Statement) -> Statement {
    match statement.kind {
        StatementKind::Label(_, inner) => without_labels(*inner),
        _ => statement,
    }
}

/// When a loop continues after its body.
enum Repeat {
    /// Always: only jumps leave it.
    Always,
    /// If a condition holds at the end of the body.
    Where(Expression),
    /// Unknown: data decide.
    Unknown,
}

/// The statements from a label to the last jump to it.
pub(super) struct BackwardJump {
    pub(super) label: Name,
    pub(super) range: Vec<Statement>,
    /// The labels of the statement that follows.
    pub(super) follows: Vec<Name>,
}

impl BackwardJump {
    /// The loop, followed by the jumps and labels that leaving it needs.
    pub(super) fn into_loop(self, jumps: &Jumps) -> Vec<Statement> {
        let Self {
            label,
            mut range,
            follows,
        } = self;
        let first = range.remove(0);
        let (outer_labels, begin) = (leading_labels(&first), first.at);
        let end = range.last().map_or(begin, |last| last.at);
        let whole = begin.to(end);
        range.insert(0, without_labels(first));
        let exit = Name::from(format!("{label} exit"));
        let mut repeat = take_tail(&mut range, &label, &exit);
        let jumps_back = |range: &[Statement]| range.iter().any(|x| jumps_to(x, &label));
        if jumps_back(&range)
            && let Repeat::Where(condition) = repeat
        {
            // Jumps from the middle of the body continue unconditionally.
            push_exit(&mut range, negated(condition), Vec::new(), (end, &exit));
            repeat = Repeat::Always;
        }
        let mut after = Vec::new();
        let condition = match repeat {
            Repeat::Always => take_head(&mut range, &follows, (&label, &exit), &mut after),
            _ => None,
        };
        if jumps_back(&range) {
            let repeated = Name::from(format!("{label} again"));
            range
                .iter_mut()
                .for_each(|x| redirect(x, &label, &repeated));
            range.push(labelled(repeated, at(end, StatementKind::Empty)));
        }
        let needs_exit = range.iter().chain(&after).any(|x| jumps_to(x, &exit));
        let body = Box::new(at(whole, StatementKind::Block(in_list(range, jumps))));
        let kind = match repeat {
            Repeat::Always => StatementKind::While {
                condition: condition.unwrap_or_else(|| Expression::new(begin, ONE)),
                body,
            },
            Repeat::Where(condition) => StatementKind::DoWhile { body, condition },
            Repeat::Unknown => StatementKind::DoWhile {
                body,
                condition: Expression::new(
                    begin,
                    ExpressionKind::Computed(int(), None, Vec::new()),
                ),
            },
        };
        let labelled_loop = outer_labels
            .into_iter()
            .fold(at(whole, kind), |x, label| labelled(label, x));
        let mut done = vec![labelled_loop];
        done.append(&mut after);
        if needs_exit {
            done.push(labelled(exit, at(end, StatementKind::Empty)));
        }
        done
    }
}

/// Removes the jump back from the end of a body.
fn take_tail(range: &mut Vec<Statement>, label: &Name, exit: &Name) -> Repeat {
    let Some(last) = range.pop() else {
        return Repeat::Unknown;
    };
    let here = last.at;
    match last.kind {
        StatementKind::Goto(Some(to)) if to == *label => Repeat::Always,
        StatementKind::If {
            condition,
            then,
            otherwise: None,
        } if is_jump(&then, label) => Repeat::Where(condition),
        StatementKind::If {
            condition,
            then,
            otherwise,
        } if ends_in_jump(&then, label) => {
            let otherwise = otherwise.map_or(Vec::new(), |x| vec![*x]);
            push_exit(range, negated(condition), otherwise, (here, exit));
            range.extend(before_jump(*then));
            Repeat::Always
        }
        StatementKind::If {
            condition,
            then,
            otherwise: Some(otherwise),
        } if ends_in_jump(&otherwise, label) => {
            push_exit(range, condition, vec![*then], (here, exit));
            range.extend(before_jump(*otherwise));
            Repeat::Always
        }
        kind => {
            range.push(at(here, kind));
            Repeat::Unknown
        }
    }
}

/// Adds `if (condition) { list goto exit; }`.
fn push_exit(
    range: &mut Vec<Statement>,
    condition: Expression,
    mut list: Vec<Statement>,
    (here, exit): (TextRange, &Name),
) {
    list.push(at(here, StatementKind::Goto(Some(exit.clone()))));
    let then = match list.len() {
        1 => list.swap_remove(0),
        _ => at(here, StatementKind::Block(list)),
    };
    let kind = StatementKind::If {
        condition,
        then: Box::new(then),
        otherwise: None,
    };
    range.push(at(here, kind));
}

/// Removes `if (condition) goto outside;` from the start of a body; returns the condition under which the loop
/// continues, and adds to `after` the jump to execute behind the loop.
fn take_head(
    range: &mut Vec<Statement>,
    follows: &[Name],
    (label, exit): (&Name, &Name),
    after: &mut Vec<Statement>,
) -> Option<Expression> {
    let is_empty = |x: &Statement| matches!(x.kind, StatementKind::Empty);
    let idx = range.iter().position(|x| !is_empty(x))?;
    let StatementKind::If {
        then,
        otherwise: None,
        ..
    } = &range[idx].kind
    else {
        return None;
    };
    let to = jump_of(then)?.clone();
    let mut inside = Vec::new();
    range.iter().for_each(|x| collect_labels(x, &mut inside));
    if inside.contains(&to) || to == *label {
        return None;
    }
    let taken = range.remove(idx);
    let StatementKind::If { condition, .. } = taken.kind else {
        return None;
    };
    if to != *exit && !follows.contains(&to) {
        after.push(at(taken.at, StatementKind::Goto(Some(to))));
    }
    Some(negated(condition))
}

/// The target of a statement that is only a jump.
fn jump_of(statement: &Statement) -> Option<&Name> {
    match &statement.kind {
        StatementKind::Goto(Some(to)) => Some(to),
        StatementKind::Block(list) => match list.as_slice() {
            [only] => jump_of(only),
            _ => None,
        },
        _ => None,
    }
}

fn is_jump(statement: &Statement, label: &Name) -> bool {
    jump_of(statement) == Some(label)
}

fn ends_in_jump(statement: &Statement, label: &Name) -> bool {
    match &statement.kind {
        StatementKind::Goto(Some(to)) => to == label,
        StatementKind::Block(list) => list.last().is_some_and(|last| ends_in_jump(last, label)),
        _ => false,
    }
}

/// The statements of a block before the jump that it ends in.
fn before_jump(statement: Statement) -> Vec<Statement> {
    match statement.kind {
        StatementKind::Block(mut list) => {
            let last = list.pop().map(before_jump).unwrap_or_default();
            list.extend(last);
            list
        }
        _ => Vec::new(),
    }
}

/// Redirects the jumps to one label to another one.
fn redirect(statement: &mut Statement, from: &Name, to: &Name) {
    match &mut statement.kind {
        StatementKind::Goto(Some(label)) if label == from => *label = to.clone(),
        _ => children_mut(statement)
            .into_iter()
            .for_each(|child| redirect(child, from, to)),
    }
}

/// The negation of a condition, by De Morgan's laws: `!(a && b)` becomes `!a || !b`, so that comparisons are not
/// hidden.
fn negated(condition: Expression) -> Expression {
    let here = condition.at;
    let inner = |x: Box<Expression>| Box::new(negated(*x));
    let kind = match condition.kind {
        ExpressionKind::And(a, b) => ExpressionKind::Or(inner(a), inner(b)),
        ExpressionKind::Or(a, b) => ExpressionKind::And(inner(a), inner(b)),
        ExpressionKind::Unary(Unary::Not, x) if is_truth(&x) => return *x,
        kind => {
            let x = Expression { kind, ..condition };
            ExpressionKind::Unary(Unary::Not, Box::new(x))
        }
    };
    Expression::new(here, kind)
}

/// Whether the value of an expression is always 0 or 1.
fn is_truth(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::And(..) | ExpressionKind::Or(..) | ExpressionKind::Unary(Unary::Not, _) => {
            true
        }
        ExpressionKind::Binary(operator, ..) => operator.is_comparison(),
        _ => false,
    }
}

const INT: IntegerType = IntegerType {
    bits: 32,
    signed: true,
};
const ONE: ExpressionKind = ExpressionKind::Integer(1, INT);

fn int() -> Arc<TypeName> {
    Arc::new(TypeName::Integer(INT))
}

fn at(at: TextRange, kind: StatementKind) -> Statement {
    Statement { at, kind }
}

fn labelled(label: Name, statement: Statement) -> Statement {
    let here = statement.at;
    at(here, StatementKind::Label(label, Box::new(statement)))
}
