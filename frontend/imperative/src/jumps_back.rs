//! Jumps back to a label, as the loops that they make.
//!
//! ```text
//! 10 if (n < k) goto 20;            while (!(n < k)) {
//!    v[k] = 0;                          v[k] = 0;
//!    k = k + 1;                         k = k + 1;
//!    goto 10;                       }
//! 20 …                              20 …
//! ```
//!
//! What stands from the label to the last jump to it is the body. Jumps that are not at its end lead to a
//! label there. Whether a body that is left by falling through is repeated counts as data. What is not
//! such a loop stays as it is: a body that something jumps into, or that holds a `break` of a loop around.

use crate::lowering::{breaks, children, contains, continues};
use crate::syntax::{At, Expression, ExpressionKind, Name, TypeName, Unary};
use crate::syntax::{Statement, StatementKind};
use premiss_tree::IntegerType;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The body of a function with jumps back as loops.
pub fn loops_of_jumps(body: Statement) -> Statement {
    let mut n_jumps = BTreeMap::new();
    count_jumps(&body, &mut n_jumps);
    match n_jumps.is_empty() {
        true => body,
        false => in_statement(body, &n_jumps),
    }
}

/// How many jumps lead to each label.
type Jumps = BTreeMap<Name, usize>;

fn count_jumps(statement: &Statement, jumps: &mut Jumps) {
    if let StatementKind::Goto(Some(label)) = &statement.kind {
        *jumps.entry(label.clone()).or_default() += 1;
    }
    for child in children(statement) {
        count_jumps(child, jumps);
    }
}

fn in_statement(statement: Statement, jumps: &Jumps) -> Statement {
    let inside = |body: Box<Statement>| Box::new(in_statement(*body, jumps));
    let kind = match statement.kind {
        StatementKind::Block(list) => StatementKind::Block(in_list(list, jumps)),
        StatementKind::If {
            condition,
            then,
            otherwise,
        } => StatementKind::If {
            condition,
            then: inside(then),
            otherwise: otherwise.map(inside),
        },
        StatementKind::For(mut head) => {
            head.body = in_statement(head.body, jumps);
            StatementKind::For(head)
        }
        StatementKind::While { condition, body } => StatementKind::While {
            condition,
            body: inside(body),
        },
        StatementKind::DoWhile { body, condition } => StatementKind::DoWhile {
            body: inside(body),
            condition,
        },
        StatementKind::Switch { value, body } => StatementKind::Switch {
            value,
            body: inside(body),
        },
        StatementKind::Case(value, body) => StatementKind::Case(value, inside(body)),
        StatementKind::Label(name, body) => StatementKind::Label(name, inside(body)),
        other => other,
    };
    Statement {
        at: statement.at,
        kind,
    }
}

fn in_list(list: Vec<Statement>, jumps: &Jumps) -> Vec<Statement> {
    let last_jumps = last_jumps(&list);
    let mut ends = BTreeMap::new();
    let mut idx = 0;
    while idx < list.len() {
        let found = loop_at(&list, idx, &last_jumps);
        let found = found.filter(|(_, last)| is_closed(&list[idx..=*last], jumps));
        let Some((label, last)) = found else {
            idx += 1;
            continue;
        };
        let follows = list.get(last + 1).map(labels).unwrap_or_default();
        ends.insert(idx, (label, last, follows));
        idx = last + 1;
    }
    let mut done = Vec::new();
    let mut rest = list.into_iter().enumerate();
    while let Some((idx, first)) = rest.next() {
        let Some((label, last, follows)) = ends.remove(&idx) else {
            done.push(in_statement(first, jumps));
            continue;
        };
        let others = rest.by_ref().take(last - idx).map(|(_, x)| x);
        let range = std::iter::once(first).chain(others).collect();
        done.extend(looped(&label, range, &follows, jumps));
    }
    done
}

/// The last statement of a list that jumps to each label.
fn last_jumps(list: &[Statement]) -> BTreeMap<Name, usize> {
    let mut last = BTreeMap::new();
    for (idx, statement) in list.iter().enumerate() {
        let mut found = Jumps::new();
        count_jumps(statement, &mut found);
        last.extend(found.into_keys().map(|label| (label, idx)));
    }
    last
}

/// The label of a statement that it or a later one jumps back to, with the last that does; of loops that
/// overlap, the outer one reaches to the end of both.
fn loop_at(
    list: &[Statement],
    first: usize,
    last_jumps: &BTreeMap<Name, usize>,
) -> Option<(Name, usize)> {
    let jump_back = |at: usize, label: &Name| last_jumps.get(label).copied().filter(|x| at <= *x);
    let (label, mut last) = labels(&list[first])
        .into_iter()
        .filter_map(|label| Some((label.clone(), jump_back(first, &label)?)))
        .max_by_key(|(_, last)| *last)?;
    let mut idx = first + 1;
    while idx <= last {
        for inner in labels(&list[idx]) {
            last = last.max(jump_back(idx, &inner).unwrap_or(0));
        }
        idx += 1;
    }
    Some((label, last))
}

fn jumps_to(statement: &Statement, label: &Name) -> bool {
    contains(
        statement,
        &|kind| matches!(kind, StatementKind::Goto(Some(to)) if to == label),
    )
}

/// Whether statements can be the body of a loop: what they declare and leave is their own, and nothing
/// jumps into them other than to the first.
fn is_closed(range: &[Statement], jumps: &Jumps) -> bool {
    let is_own = |statement: &Statement| {
        !breaks(statement)
            && !continues(statement)
            && !has_case(statement)
            && !matches!(statement.kind, StatementKind::Declarations(_))
    };
    let mut within = Jumps::new();
    let mut targets = Vec::new();
    for (idx, statement) in range.iter().enumerate() {
        count_jumps(statement, &mut within);
        let mut found = Vec::new();
        all_labels(statement, &mut found);
        let first = if idx == 0 {
            labels(statement)
        } else {
            Vec::new()
        };
        targets.extend(found.into_iter().filter(|label| !first.contains(label)));
    }
    range.iter().all(is_own)
        && targets
            .iter()
            .all(|label| within.get(label) == jumps.get(label))
}

/// Whether a `case` in a statement belongs to a `switch` around it.
fn has_case(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Case(..) => true,
        StatementKind::Switch { .. } => false,
        _ => children(statement).into_iter().any(has_case),
    }
}

fn all_labels(statement: &Statement, found: &mut Vec<Name>) {
    if let StatementKind::Label(name, _) = &statement.kind {
        found.push(name.clone());
    }
    for child in children(statement) {
        all_labels(child, found);
    }
}

/// The labels that a statement begins with.
fn labels(statement: &Statement) -> Vec<Name> {
    match &statement.kind {
        StatementKind::Label(name, inner) => {
            let mut labels = labels(inner);
            labels.push(name.clone());
            labels
        }
        _ => Vec::new(),
    }
}

fn without_labels(statement: Statement) -> Statement {
    match statement.kind {
        StatementKind::Label(_, inner) => without_labels(*inner),
        _ => statement,
    }
}

/// How a loop goes on.
enum Repeat {
    /// Until a jump leaves it.
    Always,
    /// Where a condition holds at its end.
    Where(Expression),
    /// By data.
    Unknown,
}

/// The loop from a label to the last jump to it; `follows` are the labels of what comes after it.
fn looped(
    label: &Name,
    mut range: Vec<Statement>,
    follows: &[Name],
    jumps: &Jumps,
) -> Vec<Statement> {
    let first = range.remove(0);
    let (outer_labels, begin) = (labels(&first), first.at);
    let end = range.last().map_or(begin, |last| last.at);
    let whole = begin.to(end);
    range.insert(0, without_labels(first));
    let exit = Name::from(format!("{label} exit"));
    let repeat = take_tail(&mut range, label, &exit);
    let mut after = Vec::new();
    let condition = match repeat {
        Repeat::Always => take_head(&mut range, follows, &exit, &mut after),
        _ => None,
    };
    let repeated = Name::from(format!("{label} again"));
    if range.iter().any(|statement| jumps_to(statement, label)) {
        range.iter_mut().for_each(|x| redirect(x, label, &repeated));
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
            condition: Expression::new(begin, ExpressionKind::Computed(int(), None, Vec::new())),
        },
    };
    let mut done = vec![
        outer_labels
            .into_iter()
            .fold(at(whole, kind), |x, l| labelled(l, x)),
    ];
    done.append(&mut after);
    if needs_exit {
        done.push(labelled(exit, at(end, StatementKind::Empty)));
    }
    done
}

/// Takes the jump back from the end of a body.
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
    (here, exit): (At, &Name),
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

/// Takes `if (condition) goto outside;` from the start of a body; yields under what condition it goes on,
/// and what comes after the loop.
fn take_head(
    range: &mut Vec<Statement>,
    follows: &[Name],
    exit: &Name,
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
    range.iter().for_each(|x| all_labels(x, &mut inside));
    if inside.contains(&to) {
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

/// The label of a statement that is a jump and nothing else.
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

/// Makes the jumps to one label jumps to another one.
fn redirect(statement: &mut Statement, from: &Name, to: &Name) {
    match &mut statement.kind {
        StatementKind::Goto(Some(label)) if label == from => *label = to.clone(),
        StatementKind::Block(list) => list.iter_mut().for_each(|x| redirect(x, from, to)),
        StatementKind::If {
            then, otherwise, ..
        } => {
            redirect(then, from, to);
            if let Some(otherwise) = otherwise {
                redirect(otherwise, from, to);
            }
        }
        StatementKind::For(head) => redirect(&mut head.body, from, to),
        StatementKind::While { body, .. }
        | StatementKind::DoWhile { body, .. }
        | StatementKind::Switch { body, .. }
        | StatementKind::Case(_, body)
        | StatementKind::Label(_, body) => redirect(body, from, to),
        _ => {}
    }
}

/// 1 where a condition is 0, else 0: `!(a && b)` as `!a || !b`, so that each comparison can be seen.
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

/// Whether an expression yields 0 or 1.
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

fn int() -> Rc<TypeName> {
    Rc::new(TypeName::Integer(INT))
}

fn at(at: At, kind: StatementKind) -> Statement {
    Statement { at, kind }
}

fn labelled(label: Name, statement: Statement) -> Statement {
    let here = statement.at;
    at(here, StatementKind::Label(label, Box::new(statement)))
}
