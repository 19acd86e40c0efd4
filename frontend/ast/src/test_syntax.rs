//! Syntax for tests: constructors without places, and statements as the text of a program.

use crate::syntax::{
    Binary, Declaration, Expression, ExpressionKind as Kind, Lifetime, Name, Object, Statement,
    StatementKind, TextRange, TypeName, Unary, UnitId,
};
use premiss_tree::IntegerType;
use std::sync::Arc;

pub(crate) fn name(text: &str) -> Name {
    Name::from(text)
}

/// The bytes from `start` to `end` of a unit.
pub(crate) fn at(start: u32, end: u32) -> TextRange {
    TextRange {
        unit: UnitId(0),
        start,
        end,
    }
}

pub(crate) fn expression(kind: Kind) -> Expression {
    Expression::new(at(0, 0), kind)
}

pub(crate) fn statement(kind: StatementKind) -> Statement {
    Statement { at: at(0, 0), kind }
}

pub(crate) fn signed(bits: u8) -> IntegerType {
    IntegerType { bits, signed: true }
}

pub(crate) fn int(value: i64) -> Expression {
    expression(Kind::Integer(value, signed(32)))
}

pub(crate) fn var(text: &str) -> Expression {
    expression(Kind::Name(name(text)))
}

pub(crate) fn binary(operator: Binary, a: Expression, b: Expression) -> Expression {
    expression(Kind::Binary(operator, Box::new(a), Box::new(b)))
}

pub(crate) fn less(a: Expression, b: Expression) -> Expression {
    binary(Binary::Less, a, b)
}

pub(crate) fn index(array: &str, subscript: Expression) -> Expression {
    expression(Kind::Index(Box::new(var(array)), Box::new(subscript)))
}

pub(crate) fn address(of: &str) -> Expression {
    expression(Kind::AddressOf(Box::new(var(of))))
}

pub(crate) fn assignment(to: Expression, value: Expression) -> Expression {
    expression(Kind::Assign(None, Box::new(to), Box::new(value)))
}

/// `to = value;`
pub(crate) fn set(to: Expression, value: Expression) -> Statement {
    statement(StatementKind::Expression(assignment(to, value)))
}

/// `k = k + by;`
pub(crate) fn step(variable: &str, by: i64) -> Statement {
    let sum = binary(Binary::Add, var(variable), int(by));
    set(var(variable), sum)
}

pub(crate) fn block(list: Vec<Statement>) -> Statement {
    statement(StatementKind::Block(list))
}

pub(crate) fn while_loop(condition: Expression, body: Vec<Statement>) -> Statement {
    let body = Box::new(block(body));
    statement(StatementKind::While { condition, body })
}

pub(crate) fn do_while(body: Vec<Statement>, condition: Expression) -> Statement {
    let body = Box::new(block(body));
    statement(StatementKind::DoWhile { body, condition })
}

pub(crate) fn when(condition: Expression, then: Statement) -> Statement {
    statement(StatementKind::If {
        condition,
        then: Box::new(then),
        otherwise: None,
    })
}

pub(crate) fn switch(value: Expression, body: Vec<Statement>) -> Statement {
    let body = Box::new(block(body));
    statement(StatementKind::Switch { value, body })
}

pub(crate) fn jump(label: &str) -> Statement {
    statement(StatementKind::Goto(Some(name(label))))
}

pub(crate) fn label(text: &str, inner: Statement) -> Statement {
    statement(StatementKind::Label(name(text), Box::new(inner)))
}

pub(crate) fn empty() -> Statement {
    statement(StatementKind::Empty)
}

/// The declaration of an integer of so many bits.
pub(crate) fn declared(text: &str, bits: u8, lifetime: Lifetime) -> Statement {
    let object = Object {
        name: name(text),
        at: at(0, 0),
        kind: Arc::new(TypeName::Integer(signed(bits))),
        lifetime,
        is_const: false,
        is_volatile: false,
        initializer: None,
    };
    statement(StatementKind::Declarations(vec![Declaration::Object(
        object,
    )]))
}

/// `int x;` in a block.
pub(crate) fn local(text: &str) -> Statement {
    declared(text, 32, Lifetime::Automatic)
}

/// A statement as text; declarations are `int x;` whatever their type, and data are `data`.
pub(crate) fn text(statement: &Statement) -> String {
    match &statement.kind {
        StatementKind::Block(list) => format!("{{ {} }}", texts(list)),
        StatementKind::Declarations(list) => match &list[..] {
            [Declaration::Object(object)] => format!("int {};", object.name),
            _ => unreachable!("tests declare one object at a time"),
        },
        StatementKind::Expression(x) => format!("{};", text_of(x)),
        StatementKind::If {
            condition, then, ..
        } => format!("if ({}) {}", text_of(condition), text(then)),
        StatementKind::While { condition, body } => {
            format!("while ({}) {}", text_of(condition), text(body))
        }
        StatementKind::DoWhile { body, condition } => {
            format!("do {} while ({});", text(body), text_of(condition))
        }
        StatementKind::Label(own, inner) => format!("{own}: {}", text(inner)),
        StatementKind::Goto(Some(to)) => format!("goto {to};"),
        StatementKind::Return(Some(x)) => format!("return {};", text_of(x)),
        StatementKind::Break => "break;".to_owned(),
        StatementKind::Continue => "continue;".to_owned(),
        StatementKind::Empty => ";".to_owned(),
        StatementKind::Stop(_) => "stop;".to_owned(),
        other => unreachable!("tests print no {other:?}"),
    }
}

fn texts(list: &[Statement]) -> String {
    list.iter().map(text).collect::<Vec<_>>().join(" ")
}

fn text_of(expression: &Expression) -> String {
    match &expression.kind {
        Kind::Integer(value, _) => value.to_string(),
        Kind::Name(name) => name.to_string(),
        Kind::Stepped(name, by) => format!("({name} + {by})"),
        Kind::Unary(Unary::Not, x) => format!("!({})", text_of(x)),
        Kind::Binary(Binary::Add, a, b) => format!("{} + {}", text_of(a), text_of(b)),
        Kind::Binary(Binary::Less, a, b) => format!("{} < {}", text_of(a), text_of(b)),
        Kind::Call(callee, _) => format!("{}()", text_of(callee)),
        Kind::Index(a, b) => format!("{}[{}]", text_of(a), text_of(b)),
        Kind::AddressOf(x) => format!("&{}", text_of(x)),
        Kind::Assign(None, a, b) => format!("{} = {}", text_of(a), text_of(b)),
        Kind::Increment {
            step,
            is_prefix: true,
            operand,
        } => format!("{step}+{}", text_of(operand)),
        Kind::Increment { step, operand, .. } => format!("{}+{step}", text_of(operand)),
        Kind::Computed(..) => "data".to_owned(),
        other => unreachable!("tests print no {other:?}"),
    }
}
