//! Expressions.

use super::keywords::is_keyword;
use super::parser::{Parsed, Parser};
use super::token::TokenKind;
use super::unknown_macros::is_undeclared;
use super::{Binary, Designator, Expression, ExpressionKind, TextRange, TypeName, Unary, literals};
use std::sync::Arc;

/// The node that a binary operator of the grammar creates.
enum Infix {
    Plain(Binary),
    And,
    Or,
}

/// An operator with its precedence.
fn infix(text: &str) -> Option<(u8, Infix)> {
    use Infix::Plain;
    Some(match text {
        "||" => (1, Infix::Or),
        "&&" => (2, Infix::And),
        "|" => (3, Plain(Binary::BitOr)),
        "^" => (4, Plain(Binary::BitXor)),
        "&" => (5, Plain(Binary::BitAnd)),
        "==" => (6, Plain(Binary::Equal)),
        "!=" => (6, Plain(Binary::NotEqual)),
        "<" => (7, Plain(Binary::Less)),
        "<=" => (7, Plain(Binary::LessEqual)),
        ">" => (7, Plain(Binary::Greater)),
        ">=" => (7, Plain(Binary::GreaterEqual)),
        "<<" => (8, Plain(Binary::ShiftLeft)),
        ">>" => (8, Plain(Binary::ShiftRight)),
        "+" => (9, Plain(Binary::Add)),
        "-" => (9, Plain(Binary::Subtract)),
        "*" => (10, Plain(Binary::Multiply)),
        "/" => (10, Plain(Binary::Divide)),
        "%" => (10, Plain(Binary::Remainder)),
        _ => return None,
    })
}

fn assignment_operator(text: &str) -> Option<Option<Binary>> {
    Some(match text {
        "=" => None,
        "+=" => Some(Binary::Add),
        "-=" => Some(Binary::Subtract),
        "*=" => Some(Binary::Multiply),
        "/=" => Some(Binary::Divide),
        "%=" => Some(Binary::Remainder),
        "<<=" => Some(Binary::ShiftLeft),
        ">>=" => Some(Binary::ShiftRight),
        "&=" => Some(Binary::BitAnd),
        "^=" => Some(Binary::BitXor),
        "|=" => Some(Binary::BitOr),
        _ => return None,
    })
}

/// An expression, including comma operators.
pub(super) fn expression(parser: &mut Parser) -> Parsed<Expression> {
    let mut left = parser.assignment_expression()?;
    while parser.accept(",") {
        let right = parser.assignment_expression()?;
        let at = left.at.to(right.at);
        left = parser.make(at, ExpressionKind::Comma(Box::new(left), Box::new(right)))?;
    }
    Ok(left)
}

/// An expression without comma operators.
pub(super) fn assignment_expression(parser: &mut Parser) -> Parsed<Expression> {
    parser.nested(|parser| {
        let left = parser.conditional_expression()?;
        let TokenKind::Punctuator(text) = parser.kind() else {
            return Ok(left);
        };
        let Some(operator) = assignment_operator(text) else {
            return Ok(left);
        };
        parser.advance();
        let right = parser.assignment_expression()?;
        let at = left.at.to(right.at);
        let kind = ExpressionKind::Assign(operator, Box::new(left), Box::new(right));
        parser.make(at, kind)
    })
}

/// A conditional expression, the syntax of constant expressions.
pub(super) fn conditional_expression(parser: &mut Parser) -> Parsed<Expression> {
    let condition = binary_expression(parser, 1)?;
    if !parser.accept("?") {
        return Ok(condition);
    }
    if parser.is(":") {
        // `a ?: b` evaluates `a` once: it has no equivalent among the other expressions.
        parser.advance();
        let otherwise = parser.nested(Parser::conditional_expression)?;
        let at = condition.at.to(otherwise.at);
        return parser.make(at, ExpressionKind::Unsupported("a `?:` without a middle"));
    }
    let then = parser.nested(Parser::expression)?;
    parser.expect(":")?;
    let otherwise = parser.nested(Parser::conditional_expression)?;
    let at = condition.at.to(otherwise.at);
    let operands = Box::new([condition, then, otherwise]);
    parser.make(at, ExpressionKind::Conditional(operands))
}

fn binary_expression(parser: &mut Parser, least: u8) -> Parsed<Expression> {
    let mut left = cast_expression(parser)?;
    while let TokenKind::Punctuator(text) = parser.kind() {
        let Some((precedence, operator)) = infix(text) else {
            break;
        };
        if precedence < least {
            break;
        }
        parser.advance();
        let right = binary_expression(parser, precedence + 1)?;
        let at = left.at.to(right.at);
        let (left_box, right_box) = (Box::new(left), Box::new(right));
        let kind = match operator {
            Infix::Plain(operator) => ExpressionKind::Binary(operator, left_box, right_box),
            Infix::And => ExpressionKind::And(left_box, right_box),
            Infix::Or => ExpressionKind::Or(left_box, right_box),
        };
        left = parser.make(at, kind)?;
    }
    Ok(left)
}

fn cast_expression(parser: &mut Parser) -> Parsed<Expression> {
    if !parser.is("(") || !(parser.starts_type_after(1) || is_cast_to_undeclared(parser)) {
        return parser.nested(unary_expression);
    }
    let start = parser.at();
    parser.advance();
    let kind = parser.type_name()?;
    parser.expect(")")?;
    if parser.is("{") {
        let literal = compound_literal(parser, start, kind)?;
        return postfix_expression(parser, literal);
    }
    let operand = parser.nested(cast_expression)?;
    let at = start.to(operand.at);
    parser.make(at, ExpressionKind::Cast(kind, Box::new(operand)))
}

/// Whether an undeclared name in parentheses is a type: `(real)x`, `(real)0`, `(real)(x)`. Before `*`, `&`, `+` or `-` it
/// may be an operand.
fn is_cast_to_undeclared(parser: &Parser) -> bool {
    if !is_undeclared(parser, 1) || !parser.is_after(2, ")") {
        return false;
    }
    let operand = parser.word_after(3);
    match parser.token_after(3).kind {
        TokenKind::Word => !is_keyword(operand) || operand == "sizeof",
        TokenKind::Number | TokenKind::Character | TokenKind::Text => true,
        TokenKind::Punctuator(text) => matches!(text, "(" | "~" | "!"),
        TokenKind::Unknown | TokenKind::End => false,
    }
}

fn compound_literal(
    parser: &mut Parser,
    start: TextRange,
    kind: Arc<TypeName>,
) -> Parsed<Expression> {
    let list = parser.initializer_list()?;
    let at = start.to(parser.before());
    parser.make(at, ExpressionKind::CompoundLiteral(kind, list))
}

fn unary_expression(parser: &mut Parser) -> Parsed<Expression> {
    let start = parser.at();
    let TokenKind::Punctuator(text) = parser.kind() else {
        return keyword_or_postfix(parser);
    };
    let make: fn(Box<Expression>) -> ExpressionKind = match text {
        "+" => |x| ExpressionKind::Unary(Unary::Plus, x),
        "-" => |x| ExpressionKind::Unary(Unary::Negate, x),
        "~" => |x| ExpressionKind::Unary(Unary::BitNot, x),
        "!" => |x| ExpressionKind::Unary(Unary::Not, x),
        "&" => ExpressionKind::AddressOf,
        "*" => ExpressionKind::Dereference,
        "++" => |operand| ExpressionKind::Increment {
            step: 1,
            is_prefix: true,
            operand,
        },
        "--" => |operand| ExpressionKind::Increment {
            step: -1,
            is_prefix: true,
            operand,
        },
        "&&" => return Err(parser.error()),
        _ => return keyword_or_postfix(parser),
    };
    parser.advance();
    let operand = parser.nested(cast_expression)?;
    let at = start.to(operand.at);
    parser.make(at, make(Box::new(operand)))
}

fn keyword_or_postfix(parser: &mut Parser) -> Parsed<Expression> {
    let start = parser.at();
    match parser.word() {
        "sizeof" => {
            parser.advance();
            sizeof_expression(parser, start)
        }
        "_Alignof" | "alignof" | "__alignof__" | "__alignof" => {
            parser.advance();
            alignof_expression(parser, start)
        }
        "__extension__" => {
            parser.advance();
            parser.nested(cast_expression)
        }
        "__real__" | "__imag__" | "__real" | "__imag" => {
            // The part of a complex number is data.
            parser.advance();
            parser.nested(cast_expression)
        }
        _ => {
            let primary = primary_expression(parser)?;
            postfix_expression(parser, primary)
        }
    }
}

fn sizeof_expression(parser: &mut Parser, start: TextRange) -> Parsed<Expression> {
    if parser.is("(") && parser.starts_type_after(1) {
        let open = parser.at();
        parser.advance();
        let kind = parser.type_name()?;
        parser.expect(")")?;
        if !parser.is("{") {
            return parser.make(start.to(parser.before()), ExpressionKind::SizeofType(kind));
        }
        let literal = compound_literal(parser, open, kind)?;
        let operand = Box::new(postfix_expression(parser, literal)?);
        let at = start.to(operand.at);
        return parser.make(at, ExpressionKind::SizeofExpression(operand));
    }
    let operand = parser.nested(unary_expression)?;
    let at = start.to(operand.at);
    parser.make(at, ExpressionKind::SizeofExpression(Box::new(operand)))
}

fn alignof_expression(parser: &mut Parser, start: TextRange) -> Parsed<Expression> {
    if parser.is("(") && parser.starts_type_after(1) {
        parser.advance();
        let kind = parser.type_name()?;
        parser.expect(")")?;
        return parser.make(start.to(parser.before()), ExpressionKind::AlignofType(kind));
    }
    let operand = parser.nested(unary_expression)?;
    let at = start.to(operand.at);
    parser.make(at, ExpressionKind::AlignofExpression(Box::new(operand)))
}

/// `offsetof(T, a.b[3])`, after its name.
fn offsetof_expression(parser: &mut Parser, start: TextRange) -> Parsed<Expression> {
    parser.expect("(")?;
    let kind = parser.type_name()?;
    parser.expect(",")?;
    let mut steps = Vec::new();
    loop {
        if parser.accept("[") {
            steps.push(Designator::Index(parser.nested(Parser::expression)?));
            parser.expect("]")?;
        } else if parser.accept(")") {
            break;
        } else {
            parser.accept(".");
            let word = parser.word();
            if word.is_empty() {
                return Err(parser.error());
            }
            steps.push(Designator::Member(parser.name_of(word)));
            parser.advance();
        }
    }
    let at = start.to(parser.before());
    parser.make(at, ExpressionKind::OffsetOf(kind, steps))
}

fn primary_expression(parser: &mut Parser) -> Parsed<Expression> {
    let token = parser.token();
    match token.kind {
        TokenKind::Word => identifier(parser),
        TokenKind::Number => {
            let kind = literals::number(parser.text_of(token)).ok_or_else(|| parser.error())?;
            parser.advance();
            parser.make(token.at, kind)
        }
        TokenKind::Character => {
            let value = literals::character(parser.text_of(token));
            parser.advance();
            parser.make(token.at, ExpressionKind::Integer(value, literals::INT))
        }
        TokenKind::Text => {
            let mut size = 1;
            while parser.kind() == TokenKind::Text {
                let token = parser.advance();
                size += literals::text_length(parser.text_of(token));
            }
            parser.make(token.at.to(parser.before()), ExpressionKind::Text(size))
        }
        TokenKind::Punctuator("(") => parenthesized_expression(parser),
        TokenKind::Punctuator(_) | TokenKind::Unknown | TokenKind::End => Err(parser.error()),
    }
}

fn identifier(parser: &mut Parser) -> Parsed<Expression> {
    let token = parser.token();
    let text = parser.text_of(token);
    match text {
        "__builtin_offsetof" | "offsetof" if parser.is_after(1, "(") => {
            parser.advance();
            offsetof_expression(parser, token.at)
        }
        "_Generic" if parser.is_after(1, "(") => {
            parser.advance();
            generic_selection(parser, token.at)
        }
        "__builtin_va_arg" | "va_arg" if parser.is_after(1, "(") => {
            parser.advance();
            variable_argument(parser, token.at)
        }
        "__builtin_types_compatible_p" if parser.is_after(1, "(") => {
            parser.advance();
            parser.skip_balanced()?;
            let at = token.at.to(parser.before());
            parser.make(at, ExpressionKind::Unsupported("a compiler builtin"))
        }
        _ if is_keyword(text) => Err(parser.error()),
        _ => {
            parser.advance();
            let name = parser.name_of(text);
            parser.make(token.at, ExpressionKind::Name(name))
        }
    }
}

/// The rest of `va_arg(list, type)`: a value of the type that only running the program tells, and no access to an array, as
/// the arguments of a call are not in one.
fn variable_argument(parser: &mut Parser, start: TextRange) -> Parsed<Expression> {
    parser.expect("(")?;
    parser.assignment_expression()?;
    parser.expect(",")?;
    let kind = parser.type_name()?;
    parser.expect(")")?;
    let at = start.to(parser.before());
    parser.make(at, ExpressionKind::Computed(kind, None, Vec::new()))
}

/// The rest of a `_Generic` selection.
fn generic_selection(parser: &mut Parser, start: TextRange) -> Parsed<Expression> {
    parser.expect("(")?;
    let control = Box::new(parser.assignment_expression()?);
    let mut list = Vec::new();
    while parser.accept(",") {
        let kind = match parser.word() == "default" {
            true => {
                parser.advance();
                None
            }
            false => Some(parser.type_name()?),
        };
        parser.expect(":")?;
        list.push((kind, parser.assignment_expression()?));
    }
    parser.expect(")")?;
    let at = start.to(parser.before());
    parser.make(at, ExpressionKind::Generic(control, list))
}

/// A parenthesized expression; the parentheses are part of its place.
fn parenthesized_expression(parser: &mut Parser) -> Parsed<Expression> {
    let start = parser.at();
    parser.advance();
    if parser.is("{") {
        let block = parser.nested(Parser::statement)?;
        parser.expect(")")?;
        let at = start.to(parser.before());
        return parser.make(at, ExpressionKind::StatementExpression(Box::new(block)));
    }
    let mut inner = parser.nested(Parser::expression)?;
    parser.expect(")")?;
    inner.at = start.to(parser.before());
    Ok(inner)
}

fn postfix_expression(parser: &mut Parser, mut base: Expression) -> Parsed<Expression> {
    let start = base.at;
    loop {
        let TokenKind::Punctuator(text) = parser.kind() else {
            return Ok(base);
        };
        let kind = match text {
            "[" => {
                parser.advance();
                let index = parser.nested(Parser::expression)?;
                parser.expect("]")?;
                ExpressionKind::Index(Box::new(base), Box::new(index))
            }
            "(" => {
                parser.advance();
                let mut arguments = argument_list(parser)?;
                arguments.shrink_to_fit();
                ExpressionKind::Call(Box::new(base), arguments)
            }
            "." | "->" => {
                parser.advance();
                let name = parser.word();
                if name.is_empty() {
                    return Err(parser.error());
                }
                parser.advance();
                ExpressionKind::Member {
                    base: Box::new(base),
                    name: parser.name_of(name),
                    through_pointer: text == "->",
                }
            }
            "++" | "--" => {
                parser.advance();
                ExpressionKind::Increment {
                    step: if text == "++" { 1 } else { -1 },
                    is_prefix: false,
                    operand: Box::new(base),
                }
            }
            _ => return Ok(base),
        };
        base = parser.make(start.to(parser.before()), kind)?;
    }
}

fn argument_list(parser: &mut Parser) -> Parsed<Vec<Expression>> {
    let mut arguments = Vec::new();
    if parser.accept(")") {
        return Ok(arguments);
    }
    loop {
        if parser.starts_type_after(0) && !parser.is_after(1, "(") {
            // A type as an argument, as of `va_arg` and similar.
            let start = parser.at();
            parser.type_name()?;
            let at = start.to(parser.before());
            arguments.push(parser.make(at, ExpressionKind::Unsupported("a type as an argument"))?);
        } else {
            arguments.push(parser.assignment_expression()?);
        }
        if !parser.accept(",") {
            parser.expect(")")?;
            return Ok(arguments);
        }
    }
}
