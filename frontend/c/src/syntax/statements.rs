//! Statements.

use super::attributes;
use super::parser::{Parsed, Parser};
use super::token::TokenKind;
use super::{For, Name, Statement, StatementKind};

/// A statement or declaration. What cannot be parsed is recorded and skipped.
pub(super) fn statement(parser: &mut Parser) -> Parsed<Statement> {
    let start = parser.at();
    let kind = parser.nested(statement_kind)?;
    Ok(Statement {
        at: start.to(parser.before()),
        kind,
    })
}

fn boxed_statement(parser: &mut Parser) -> Parsed<Box<Statement>> {
    Ok(Box::new(parser.statement()?))
}

fn statement_kind(parser: &mut Parser) -> Parsed<StatementKind> {
    if parser.is("{") {
        return compound_statement(parser);
    }
    if parser.accept(";") {
        return Ok(StatementKind::Empty);
    }
    match parser.word() {
        "if" => if_statement(parser),
        "for" => for_statement(parser),
        "while" | "switch" => while_or_switch_statement(parser),
        "do" => do_statement(parser),
        "return" => {
            parser.advance();
            let value = match parser.is(";") {
                true => None,
                false => Some(parser.expression()?),
            };
            parser.expect(";")?;
            Ok(StatementKind::Return(value))
        }
        "break" => jump_statement(parser, StatementKind::Break),
        "continue" => jump_statement(parser, StatementKind::Continue),
        "goto" => {
            parser.advance();
            let is_label = parser.kind() == TokenKind::Word && parser.is_after(1, ";");
            let label = is_label.then(|| Name::from(parser.word()));
            while !parser.is(";") && parser.kind() != TokenKind::End {
                parser.advance();
            }
            parser.expect(";")?;
            Ok(StatementKind::Goto(label))
        }
        "case" | "default" => case_label(parser),
        "_Static_assert" | "static_assert" => {
            parser.advance();
            parser.skip_balanced()?;
            parser.expect(";")?;
            Ok(StatementKind::Empty)
        }
        "asm" | "__asm__" | "__asm" => asm_statement(parser),
        _ => declaration_or_expression(parser),
    }
}

fn declaration_or_expression(parser: &mut Parser) -> Parsed<StatementKind> {
    let is_label = parser.kind() == TokenKind::Word && parser.is_after(1, ":");
    if is_label {
        let label = Name::from(parser.word());
        parser.advance();
        parser.advance();
        if parser.is("}") {
            return Ok(StatementKind::Label(
                label,
                Box::new(empty_statement(parser)),
            ));
        }
        return Ok(StatementKind::Label(label, boxed_statement(parser)?));
    }
    if parser.is("[") && parser.is_after(1, "[") {
        attributes::skip_attributes(parser)?;
        return statement_kind(parser);
    }
    if parser.word() == "__extension__" && !parser.starts_type_after(1) {
        parser.advance();
    }
    if parser.word().starts_with("__attribute") && position_after_attributes_is_semicolon(parser) {
        attributes::skip_attributes(parser)?;
        parser.expect(";")?;
        return Ok(StatementKind::Empty);
    }
    if parser.starts_type_after(0) {
        return Ok(StatementKind::Declarations(parser.declaration()?));
    }
    let expression = parser.expression()?;
    parser.expect(";")?;
    Ok(StatementKind::Expression(expression))
}

fn position_after_attributes_is_semicolon(parser: &mut Parser) -> bool {
    let start = parser.position;
    let is_read = attributes::skip_attributes(parser).is_ok();
    let found = is_read && parser.is(";");
    parser.position = start;
    found
}

fn empty_statement(parser: &Parser) -> Statement {
    Statement {
        at: parser.at(),
        kind: StatementKind::Empty,
    }
}

fn jump_statement(parser: &mut Parser, kind: StatementKind) -> Parsed<StatementKind> {
    parser.advance();
    parser.expect(";")?;
    Ok(kind)
}

fn asm_statement(parser: &mut Parser) -> Parsed<StatementKind> {
    parser.advance();
    while parser.kind() == TokenKind::Word {
        parser.advance();
    }
    parser.skip_balanced()?;
    parser.expect(";")?;
    Ok(StatementKind::Error(
        premiss_tree::RejectReason::Unsupported {
            construct: "inline assembly".to_owned(),
        },
    ))
}

fn compound_statement(parser: &mut Parser) -> Parsed<StatementKind> {
    parser.advance();
    parser.scoped(|parser| {
        let mut statements = Vec::new();
        while !parser.accept("}") {
            if parser.kind() == TokenKind::End {
                return Err(parser.error());
            }
            statements.push(block_item(parser));
        }
        Ok(StatementKind::Block(statements))
    })
}

fn block_item(parser: &mut Parser) -> Statement {
    let (start, at) = (parser.position, parser.at());
    let n_scopes = parser.scopes.len();
    match parser.statement() {
        Ok(statement) => statement,
        Err(error) => {
            parser.scopes.truncate(n_scopes);
            parser.recover_in_block(start);
            parser.errors.push(error.clone());
            Statement {
                at: at.to(parser.before()),
                kind: StatementKind::Error(error.reason),
            }
        }
    }
}

fn if_statement(parser: &mut Parser) -> Parsed<StatementKind> {
    parser.advance();
    parser.expect("(")?;
    let condition = parser.expression()?;
    parser.expect(")")?;
    let then = boxed_statement(parser)?;
    let otherwise = match parser.accept_word("else") {
        true => Some(boxed_statement(parser)?),
        false => None,
    };
    Ok(StatementKind::If {
        condition,
        then,
        otherwise,
    })
}

fn while_or_switch_statement(parser: &mut Parser) -> Parsed<StatementKind> {
    let is_while = parser.word() == "while";
    parser.advance();
    parser.expect("(")?;
    let value = parser.expression()?;
    parser.expect(")")?;
    let body = boxed_statement(parser)?;
    Ok(if is_while {
        StatementKind::While {
            condition: value,
            body,
        }
    } else {
        StatementKind::Switch { value, body }
    })
}

fn do_statement(parser: &mut Parser) -> Parsed<StatementKind> {
    parser.advance();
    let body = boxed_statement(parser)?;
    if !parser.accept_word("while") {
        return Err(parser.error());
    }
    parser.expect("(")?;
    let condition = parser.expression()?;
    parser.expect(")")?;
    parser.expect(";")?;
    Ok(StatementKind::DoWhile { body, condition })
}

fn case_label(parser: &mut Parser) -> Parsed<StatementKind> {
    let value = if parser.accept_word("default") {
        None
    } else {
        parser.advance();
        Some(parser.conditional_expression()?)
    };
    parser.expect(":")?;
    let statement = match parser.is("}") {
        true => Box::new(empty_statement(parser)),
        false => boxed_statement(parser)?,
    };
    Ok(StatementKind::Case(value, statement))
}

fn for_statement(parser: &mut Parser) -> Parsed<StatementKind> {
    let start = parser.at();
    parser.advance();
    parser.expect("(")?;
    parser.scoped(|parser| {
        let initial = for_init_clause(parser)?;
        let condition = match parser.is(";") {
            true => None,
            false => Some(parser.expression()?),
        };
        parser.expect(";")?;
        let step = match parser.is(")") {
            true => None,
            false => Some(parser.expression()?),
        };
        parser.expect(")")?;
        let header = start.to(parser.before());
        let body = parser.statement()?;
        Ok(StatementKind::For(Box::new(For {
            header,
            initial,
            condition,
            step,
            body,
        })))
    })
}

fn for_init_clause(parser: &mut Parser) -> Parsed<Statement> {
    let start = parser.at();
    let kind = if parser.starts_type_after(0) {
        StatementKind::Declarations(parser.declaration()?)
    } else if parser.accept(";") {
        StatementKind::Empty
    } else {
        let expression = parser.expression()?;
        parser.expect(";")?;
        StatementKind::Expression(expression)
    };
    Ok(Statement {
        at: start.to(parser.before()),
        kind,
    })
}
