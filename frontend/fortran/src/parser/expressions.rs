//! Expressions, by precedence of operators.

use super::cursor::{Cursor, ParseResult};
use super::type_specs;
use crate::syntax::{
    ActualArgument, ArgumentValue, BinaryOperator as Op, Expr, ExprKind, ImpliedDo, NameKey,
    SubscriptTriplet, UnaryOperator, dotted_generic_name,
};
use crate::text::TokenKind;
use premiss_ast::syntax::TextRange;
use std::sync::Arc;

/// The precedence of `.not.`, of signs, and of `**`.
const NOT: u8 = 5;

const SIGN: u8 = 8;

const POWER: u8 = 10;

/// The maximum number of operators of one chain: `a + b + c` has two.
const MAX_OPERATORS: usize = 4000;

/// A binary operator.
enum InfixOperator {
    Intrinsic(Op),
    /// With its generic name.
    Defined(NameKey),
}

/// An expression.
pub(super) fn expression(cursor: &mut Cursor) -> ParseResult<Expr> {
    operators(cursor, 0)
}

fn operators(cursor: &mut Cursor, least: u8) -> ParseResult<Expr> {
    cursor.deeper(|c| operators_here(c, least))
}

fn operators_here(cursor: &mut Cursor, least: u8) -> ParseResult<Expr> {
    let mut left = unary_operation(cursor, least)?;
    let mut n_operators = 0;
    while let Some((infix, strength)) = infix(cursor) {
        if strength < least {
            break;
        }
        n_operators += 1;
        if MAX_OPERATORS < n_operators {
            return cursor.exceed(format!("{MAX_OPERATORS} operators in one expression"));
        }
        cursor.advance();
        // `**` is right-associative, all others left-associative.
        let right = match strength {
            POWER => operators(cursor, POWER)?,
            strength => operators(cursor, strength + 1)?,
        };
        let at = left.at.to(right.at);
        let kind = match infix {
            InfixOperator::Intrinsic(op) => ExprKind::Binary(op, Box::new(left), Box::new(right)),
            InfixOperator::Defined(name) => ExprKind::Defined(name, vec![left, right]),
        };
        left = Expr { at, kind };
    }
    Ok(left)
}

fn unary_operation(cursor: &mut Cursor, least: u8) -> ParseResult<Expr> {
    let start = cursor.here();
    let (operator, strength) = match cursor.peek() {
        Some(TokenKind::Mark("-")) => (UnaryOperator::Minus, SIGN),
        Some(TokenKind::Mark("+")) => (UnaryOperator::Plus, SIGN),
        Some(TokenKind::Dotted(name)) if &**name == "not" => (UnaryOperator::Not, NOT),
        Some(TokenKind::Dotted(name)) if !is_literal(name) => {
            cursor.advance();
            // It binds more strongly than all operators of two operands.
            let operand = operators(cursor, POWER + 1)?;
            return Ok(Expr {
                at: start.to(operand.at),
                kind: ExprKind::Defined(dotted_generic_name(name), vec![operand]),
            });
        }
        _ => return primary(cursor),
    };
    cursor.advance();
    // Many compilers accept `a * -b`, where the sign applies to a factor.
    let operand = operators(cursor, (strength + 1).max(least.min(POWER)))?;
    Ok(Expr {
        at: start.to(operand.at),
        kind: ExprKind::Unary(operator, Box::new(operand)),
    })
}

fn infix(cursor: &Cursor) -> Option<(InfixOperator, u8)> {
    let known = |op, strength| Some((InfixOperator::Intrinsic(op), strength));
    match cursor.peek()? {
        TokenKind::Mark(mark) => match *mark {
            "**" => known(Op::Power, POWER),
            "*" => known(Op::Multiply, 9),
            // `/)` ends a list.
            "/" if cursor.is_mark_after(1, ")") => None,
            "/" => known(Op::Divide, 9),
            "+" => known(Op::Add, SIGN),
            "-" => known(Op::Subtract, SIGN),
            "//" => known(Op::Concatenate, 7),
            "==" => known(Op::Equal, 6),
            "/=" => known(Op::NotEqual, 6),
            "<" => known(Op::Less, 6),
            "<=" => known(Op::LessEqual, 6),
            ">" => known(Op::Greater, 6),
            ">=" => known(Op::GreaterEqual, 6),
            _ => None,
        },
        TokenKind::Dotted(name) => match &**name {
            "eq" => known(Op::Equal, 6),
            "ne" => known(Op::NotEqual, 6),
            "lt" => known(Op::Less, 6),
            "le" => known(Op::LessEqual, 6),
            "gt" => known(Op::Greater, 6),
            "ge" => known(Op::GreaterEqual, 6),
            "and" => known(Op::And, 4),
            "or" => known(Op::Or, 3),
            "eqv" => known(Op::Equivalent, 2),
            "neqv" => known(Op::NotEquivalent, 2),
            "not" => None,
            name if is_literal(name) => None,
            name => Some((InfixOperator::Defined(dotted_generic_name(name)), 1)),
        },
        _ => None,
    }
}

/// A constant, which no operator follows.
pub(super) fn constant(cursor: &mut Cursor) -> ParseResult<Expr> {
    primary(cursor)
}

fn primary(cursor: &mut Cursor) -> ParseResult<Expr> {
    let start = cursor.here();
    let kind = match cursor.peek() {
        Some(TokenKind::Integer(value)) => {
            cursor.advance();
            ExprKind::Integer(*value, kind_suffix(cursor))
        }
        Some(TokenKind::Bits(value)) => {
            cursor.advance();
            ExprKind::Integer(*value, None)
        }
        Some(TokenKind::Real(value, is_double)) => {
            cursor.advance();
            ExprKind::Real(*value, *is_double, kind_suffix(cursor))
        }
        Some(TokenKind::Text(bytes)) => {
            cursor.advance();
            ExprKind::Text(bytes.clone())
        }
        Some(TokenKind::Dotted(name)) if is_literal(name) => {
            cursor.advance();
            let value = name.starts_with('t');
            kind_suffix(cursor);
            ExprKind::Logical(value)
        }
        Some(TokenKind::Mark("(")) if cursor.is_mark_after(1, "/") => {
            cursor.advance();
            cursor.advance();
            return constructor(cursor, start, &["/", ")"]);
        }
        Some(TokenKind::Mark("[")) => {
            cursor.advance();
            return constructor(cursor, start, &["]"]);
        }
        Some(TokenKind::Mark("(")) => return parentheses(cursor, start),
        Some(TokenKind::Name(_)) => return designator(cursor),
        _ => return cursor.fail(),
    };
    let at = cursor.since(start);
    let expr = Expr { at, kind };
    match expr.kind {
        ExprKind::Text(_) if cursor.is_mark("(") => suffixes(cursor, expr),
        _ => Ok(expr),
    }
}

/// `_8` or `_dp` after a literal.
fn kind_suffix(cursor: &mut Cursor) -> Option<NameKey> {
    let name = cursor.word().filter(|_| cursor.is_adjacent())?;
    let kind = name.strip_prefix('_')?;
    cursor.advance();
    Some(Arc::from(kind))
}

fn parentheses(cursor: &mut Cursor, start: TextRange) -> ParseResult<Expr> {
    cursor.advance();
    let first = cursor.expr()?;
    if cursor.eat(",") {
        let list = cursor.list(Cursor::expr)?;
        if let (Some(loop_at), true) = (implied_do_variable(&list), cursor.is_mark("=")) {
            return implied_do(cursor, start, first, list, loop_at);
        }
        cursor.expect(")")?;
        let [second] = <[Expr; 1]>::try_from(list).or_else(|_| cursor.fail())?;
        return Ok(Expr {
            at: cursor.since(start),
            kind: ExprKind::Complex(Box::new(first), Box::new(second)),
        });
    }
    cursor.expect(")")?;
    Ok(Expr {
        at: cursor.since(start),
        kind: ExprKind::Parentheses(Box::new(first)),
    })
}

/// `(items, i = first, last, step)`, parsed up to the `=`.
fn implied_do(
    cursor: &mut Cursor,
    start: TextRange,
    first_item: Expr,
    mut list: Vec<Expr>,
    variable: NameKey,
) -> ParseResult<Expr> {
    list.pop();
    let mut items = vec![first_item];
    items.append(&mut list);
    cursor.expect("=")?;
    let first = cursor.expr()?;
    cursor.expect(",")?;
    let last = cursor.expr()?;
    let step = match cursor.eat(",") {
        true => Some(cursor.expr()?),
        false => None,
    };
    cursor.expect(")")?;
    Ok(Expr {
        at: cursor.since(start),
        kind: ExprKind::ImpliedDo(Box::new(ImpliedDo {
            items,
            variable,
            first,
            last,
            step,
        })),
    })
}

fn constructor(cursor: &mut Cursor, start: TextRange, close: &[&str]) -> ParseResult<Expr> {
    let before = cursor.position();
    // `[REAL :: a, b]`
    if type_specs::type_spec(cursor).is_err() || !cursor.eat("::") {
        cursor.back_to(before);
    }
    let items = match cursor.is_mark(close[0]) {
        true => Vec::new(),
        false => cursor.list(Cursor::expr)?,
    };
    for mark in close {
        cursor.expect(mark)?;
    }
    Ok(Expr {
        at: cursor.since(start),
        kind: ExprKind::Constructor(items),
    })
}

/// A name with its part selectors.
pub(super) fn designator(cursor: &mut Cursor) -> ParseResult<Expr> {
    let name = cursor.ident()?;
    suffixes(
        cursor,
        Expr {
            at: name.at,
            kind: ExprKind::Name(name.key),
        },
    )
}

fn suffixes(cursor: &mut Cursor, mut base: Expr) -> ParseResult<Expr> {
    loop {
        let start = base.at;
        let kind = if cursor.is_mark("(") {
            let arguments = arguments(cursor)?;
            ExprKind::Apply(Box::new(base), arguments)
        } else if cursor.eat("%") {
            let member = cursor.ident()?;
            ExprKind::Member(Box::new(base), member.key)
        } else {
            return Ok(base);
        };
        base = Expr {
            at: cursor.since(start),
            kind,
        };
    }
}

/// `(a, b, name = c, 1:n)`
pub(super) fn arguments(cursor: &mut Cursor) -> ParseResult<Vec<ActualArgument>> {
    cursor.expect("(")?;
    if cursor.eat(")") {
        return Ok(Vec::new());
    }
    let mut list = cursor.list(argument)?;
    cursor.expect(")")?;
    // Most lists have one or two items, and files have many lists.
    list.shrink_to_fit();
    Ok(list)
}

fn argument(cursor: &mut Cursor) -> ParseResult<ActualArgument> {
    let keyword = match cursor.word() {
        Some(name) if cursor.is_mark_after(1, "=") => {
            cursor.advance();
            cursor.advance();
            Some(name.clone())
        }
        _ => None,
    };
    let value = argument_value(cursor)?;
    Ok(ActualArgument { keyword, value })
}

fn argument_value(cursor: &mut Cursor) -> ParseResult<ArgumentValue> {
    let start = cursor.here();
    if cursor.is_mark("*") || cursor.is_mark("&") {
        cursor.advance();
        return Ok(match cursor.peek() {
            Some(TokenKind::Integer(_)) => {
                cursor.advance();
                ArgumentValue::Label
            }
            _ => ArgumentValue::Star,
        });
    }
    let first = match cursor.is_mark(":") || cursor.is_mark("::") {
        true => None,
        false => Some(cursor.expr()?),
    };
    let (last, step) = if cursor.eat("::") {
        (None, Some(cursor.expr()?))
    } else if cursor.eat(":") {
        let last = match cursor.is_mark(",") || cursor.is_mark(")") || cursor.is_mark(":") {
            true => None,
            false => Some(cursor.expr()?),
        };
        let step = match cursor.eat(":") {
            true => Some(cursor.expr()?),
            false => None,
        };
        (last, step)
    } else {
        return match first {
            Some(expr) => Ok(ArgumentValue::Expr(expr)),
            None => cursor.fail(),
        };
    };
    Ok(ArgumentValue::Section(Box::new(SubscriptTriplet {
        at: cursor.since(start),
        first,
        last,
        step,
    })))
}

fn is_literal(name: &str) -> bool {
    matches!(name, "true" | "false")
}

/// The variable of an implied DO, if a list ends in one.
fn implied_do_variable(list: &[Expr]) -> Option<NameKey> {
    list.last().and_then(|last| last.as_name().cloned())
}
