//! Traversal of statements and expressions, and predicates that need their syntax alone.

use crate::syntax::{Expression, ExpressionKind, Name, Statement, StatementKind};

/// The direct substatements of a statement, in order, without those within expressions.
pub fn children(statement: &Statement) -> Vec<&Statement> {
    match &statement.kind {
        StatementKind::Block(list) => list.iter().collect(),
        StatementKind::If {
            then, otherwise, ..
        } => std::iter::once(&**then)
            .chain(otherwise.as_deref())
            .collect(),
        StatementKind::For(head) => vec![&head.initial, &head.body],
        StatementKind::While { body, .. }
        | StatementKind::DoWhile { body, .. }
        | StatementKind::Switch { body, .. }
        | StatementKind::Case(_, body)
        | StatementKind::Label(_, body) => vec![&**body],
        _ => Vec::new(),
    }
}

/// As [`children`], mutable.
pub fn children_mut(statement: &mut Statement) -> Vec<&mut Statement> {
    match &mut statement.kind {
        StatementKind::Block(list) => list.iter_mut().collect(),
        StatementKind::If {
            then, otherwise, ..
        } => std::iter::once(&mut **then)
            .chain(otherwise.as_deref_mut())
            .collect(),
        StatementKind::For(head) => vec![&mut head.initial, &mut head.body],
        StatementKind::While { body, .. }
        | StatementKind::DoWhile { body, .. }
        | StatementKind::Switch { body, .. }
        | StatementKind::Case(_, body)
        | StatementKind::Label(_, body) => vec![&mut **body],
        _ => Vec::new(),
    }
}

/// Whether a statement or one of its substatements satisfies the predicate.
pub fn contains(statement: &Statement, predicate: &dyn Fn(&StatementKind) -> bool) -> bool {
    predicate(&statement.kind)
        || children(statement)
            .into_iter()
            .any(|child| contains(child, predicate))
}

/// Whether a statement contains a `return` or `goto`.
pub fn leaves_function(statement: &Statement) -> bool {
    contains(statement, &|kind| {
        matches!(kind, StatementKind::Return(_) | StatementKind::Goto(_))
    })
}

/// Whether a statement contains a `break` that leaves an enclosing loop or `switch`.
pub fn breaks(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Break => true,
        StatementKind::For(_)
        | StatementKind::While { .. }
        | StatementKind::DoWhile { .. }
        | StatementKind::Switch { .. } => false,
        _ => children(statement).into_iter().any(breaks),
    }
}

/// Whether a statement contains a `continue` of an enclosing loop.
pub fn continues(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Continue => true,
        StatementKind::For(_) | StatementKind::While { .. } | StatementKind::DoWhile { .. } => {
            false
        }
        _ => children(statement).into_iter().any(continues),
    }
}

/// Whether a statement contains a label.
pub fn has_label(statement: &Statement) -> bool {
    contains(statement, &|kind| matches!(kind, StatementKind::Label(..)))
}

/// The labels at the start of a statement, innermost first.
pub fn leading_labels(statement: &Statement) -> Vec<Name> {
    match &statement.kind {
        StatementKind::Label(own, inner) => {
            let mut labels = leading_labels(inner);
            labels.push(own.clone());
            labels
        }
        _ => Vec::new(),
    }
}

/// Whether a statement is `do … while (0)`, as in macros.
pub fn is_run_once(statement: &Statement) -> bool {
    matches!(
        &statement.kind,
        StatementKind::DoWhile { condition, .. }
            if matches!(condition.kind, ExpressionKind::Integer(0, _))
    )
}

/// Whether a statement is a loop: `for`, `while`, or `do` with a condition other than the constant 0.
pub fn is_loop(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::For(_) | StatementKind::While { .. } => true,
        StatementKind::DoWhile { .. } => !is_run_once(statement),
        _ => false,
    }
}

/// Whether an expression may mention a variable; compound literals and statement expressions count as mentioning it.
/// Operands of `sizeof` and [`ExpressionKind::Computed`] are not searched.
pub fn mentions(expression: &Expression, name: &Name) -> bool {
    use ExpressionKind as Kind;
    match &expression.kind {
        Kind::Name(found) | Kind::Stepped(found, _) => found == name,
        Kind::Unary(_, x)
        | Kind::Increment { operand: x, .. }
        | Kind::AddressOf(x)
        | Kind::Dereference(x)
        | Kind::Member { base: x, .. }
        | Kind::Cast(_, x) => mentions(x, name),
        Kind::Binary(_, a, b)
        | Kind::And(a, b)
        | Kind::Or(a, b)
        | Kind::Assign(_, a, b)
        | Kind::Index(a, b)
        | Kind::Comma(a, b) => mentions(a, name) || mentions(b, name),
        Kind::Conditional(operands) => operands.iter().any(|x| mentions(x, name)),
        Kind::Call(callee, arguments) => {
            mentions(callee, name) || arguments.iter().any(|x| mentions(x, name))
        }
        Kind::Generic(_, list) => list.iter().any(|(_, x)| mentions(x, name)),
        Kind::CompoundLiteral(..) | Kind::StatementExpression(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Statement;
    use crate::test_syntax::{
        block, do_while, empty, expression, index, int, label, name, statement, switch, var,
        while_loop,
    };

    #[test]
    fn a_switch_takes_the_breaks_in_it_but_no_continue_and_a_loop_takes_both() {
        let leaves = || statement(StatementKind::Break);
        let goes_on = || statement(StatementKind::Continue);
        let both = |statement: Statement| (breaks(&statement), continues(&statement));
        assert_eq!(both(block(vec![leaves(), goes_on()])), (true, true));
        let selected = switch(int(1), vec![leaves(), goes_on()]);
        assert_eq!(both(selected), (false, true));
        let repeated = while_loop(int(1), vec![leaves(), goes_on()]);
        assert_eq!(both(repeated), (false, false));
        // `do … while (0)` is left by both, too.
        let once = do_while(vec![leaves(), goes_on()], int(0));
        assert_eq!(both(once), (false, false));
    }

    #[test]
    fn only_a_do_loop_with_the_constant_zero_runs_once() {
        let run = |condition| do_while(vec![empty()], condition);
        assert!(is_run_once(&run(int(0))) && !is_loop(&run(int(0))));
        assert!(!is_run_once(&run(int(1))) && is_loop(&run(int(1))));
        assert!(!is_run_once(&run(var("zero"))) && is_loop(&run(var("zero"))));
        assert!(is_loop(&while_loop(int(0), Vec::new())));
    }

    #[test]
    fn labels_at_the_start_come_innermost_first() {
        let twice = label("outer", label("inner", empty()));
        assert_eq!(leading_labels(&twice), [name("inner"), name("outer")]);
        assert!(leading_labels(&block(vec![twice])).is_empty());
    }

    #[test]
    fn a_size_does_not_mention_what_it_is_the_size_of() {
        let size = ExpressionKind::SizeofExpression(Box::new(var("x")));
        assert!(!mentions(&expression(size), &name("x")));
        assert!(mentions(&index("a", var("x")), &name("x")));
        assert!(mentions(&index("x", int(0)), &name("x")));
        assert!(!mentions(&index("a", var("y")), &name("x")));
        // What a block computes is not searched.
        let value = ExpressionKind::StatementExpression(Box::new(empty()));
        assert!(mentions(&expression(value), &name("x")));
    }
}
