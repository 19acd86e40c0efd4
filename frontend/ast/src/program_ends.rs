//! Calls that never return become the end of the program.
//!
//! ```text
//! if (n < m) {                          if (n < m) {
//!     fprintf(stderr, "short\n");           fprintf(stderr, "short\n");
//!     exit(1);                              exit(1);
//! }                                         end of the program
//!                                       }
//! check(n) || die("short");             if (!check(n)) { die("short"); end of the program }
//! ```
//!
//! Such functions are those of the C library, those that a declaration says so of (`_Noreturn`), and those of the text
//! that always end in a call of one.

use crate::syntax::{
    Expression, ExpressionKind as Kind, Name, ProgramEnd, Statement, StatementKind, TextRange,
};
use crate::visit::{children_mut, leaves_function};

/// Functions of the C library that never return.
const NEVER_RETURN: &[&str] = &[
    "exit",
    "_exit",
    "_Exit",
    "abort",
    "quick_exit",
    "longjmp",
    "siglongjmp",
    "thrd_exit",
    "pthread_exit",
    "err",
    "errx",
    "MPI_Abort",
    "__assert_fail",
    "__builtin_trap",
    "__builtin_unreachable",
    "__builtin_abort",
    "__builtin_exit",
];

/// Whether a function of the C library never returns.
pub fn is_program_end(name: &str) -> bool {
    NEVER_RETURN.contains(&name)
}

/// A function's body with the end of the program behind each call of a function that never returns.
#[must_use]
pub fn with_program_ends(mut body: Statement, never_returns: &dyn Fn(&Name) -> bool) -> Statement {
    in_statement(&mut body, never_returns);
    body
}

/// Whether a body always ends the program: it does not come to its end, and returns nowhere.
#[must_use]
pub fn always_ends_program(body: &Statement) -> bool {
    !leaves_function(body) && ends(body)
}

fn ends(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Stop(_) => true,
        StatementKind::Block(list) => list.iter().any(ends),
        StatementKind::If {
            then,
            otherwise: Some(otherwise),
            ..
        } => ends(then) && ends(otherwise),
        StatementKind::Label(_, body) => ends(body),
        _ => false,
    }
}

fn in_statement(statement: &mut Statement, never_returns: &dyn Fn(&Name) -> bool) {
    for child in children_mut(statement) {
        in_statement(child, never_returns);
    }
    if let StatementKind::Expression(expression) = &statement.kind
        && may_end(expression, never_returns)
    {
        *statement = with_end(expression, never_returns);
    }
}

/// Whether an expression statement calls such a function where it can be a statement.
fn may_end(expression: &Expression, never_returns: &dyn Fn(&Name) -> bool) -> bool {
    match &expression.kind {
        Kind::Call(callee, _) => match &callee.kind {
            Kind::Name(name) => never_returns(name),
            _ => false,
        },
        Kind::Cast(_, x) => may_end(x, never_returns),
        Kind::Comma(a, b) => may_end(a, never_returns) || may_end(b, never_returns),
        Kind::And(_, x) | Kind::Or(_, x) => may_end(x, never_returns),
        Kind::Conditional(operands) => operands[1..].iter().any(|x| may_end(x, never_returns)),
        _ => false,
    }
}

fn with_end(expression: &Expression, never_returns: &dyn Fn(&Name) -> bool) -> Statement {
    let at = expression.at;
    let part = |x: &Expression| with_end(x, never_returns);
    if !may_end(expression, never_returns) {
        return evaluated(expression);
    }
    match &expression.kind {
        Kind::Cast(_, x) => part(x),
        Kind::Comma(a, b) => block(at, vec![part(a), part(b)]),
        Kind::And(condition, x) => when(at, (**condition).clone(), part(x), None),
        Kind::Or(condition, x) => when(at, condition.negated(), part(x), None),
        Kind::Conditional(operands) => {
            let [condition, then, otherwise] = &**operands;
            match (is_nothing(then), is_nothing(otherwise)) {
                (true, _) => when(at, condition.negated(), part(otherwise), None),
                (false, true) => when(at, condition.clone(), part(then), None),
                _ => when(at, condition.clone(), part(then), Some(part(otherwise))),
            }
        }
        _ => block(
            at,
            vec![
                evaluated(expression),
                Statement {
                    at,
                    kind: StatementKind::Stop(ProgramEnd::Check),
                },
            ],
        ),
    }
}

fn evaluated(expression: &Expression) -> Statement {
    Statement {
        at: expression.at,
        kind: match is_nothing(expression) {
            true => StatementKind::Empty,
            false => StatementKind::Expression(expression.clone()),
        },
    }
}

/// Whether evaluating an expression does nothing: `(void)0`.
fn is_nothing(expression: &Expression) -> bool {
    match &expression.kind {
        Kind::Integer(..) => true,
        Kind::Cast(_, x) => is_nothing(x),
        _ => false,
    }
}

fn block(at: TextRange, list: Vec<Statement>) -> Statement {
    Statement {
        at,
        kind: StatementKind::Block(list),
    }
}

fn when(
    at: TextRange,
    condition: Expression,
    then: Statement,
    otherwise: Option<Statement>,
) -> Statement {
    Statement {
        at,
        kind: StatementKind::If {
            condition,
            then: Box::new(then),
            otherwise: otherwise.map(Box::new),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_syntax::{
        block as list, expression, less, name, set, statement, text, var, when as under,
    };

    fn call(callee: &str) -> Expression {
        expression(Kind::Call(Box::new(var(callee)), Vec::new()))
    }

    fn ended(body: Statement) -> Statement {
        with_program_ends(body, &|name| is_program_end(name))
    }

    fn exit() -> Vec<Statement> {
        vec![
            statement(StatementKind::Expression(call("exit"))),
            statement(StatementKind::Stop(ProgramEnd::Check)),
        ]
    }

    #[test]
    fn the_program_ends_behind_calls_that_never_return() {
        let condition = less(var("n"), var("m"));
        let either = Kind::Or(Box::new(condition.clone()), Box::new(call("exit")));
        let either = statement(StatementKind::Expression(expression(either)));
        let short = under(condition.negated(), list(exit()));
        assert_eq!(text(&ended(either)), text(&short));
        let body = list(vec![set(var("x"), var("y")), ended(list(exit()))]);
        assert!(always_ends_program(&body));
        assert!(!always_ends_program(&short));
        assert!(!is_program_end(&name("print")));
    }
}
