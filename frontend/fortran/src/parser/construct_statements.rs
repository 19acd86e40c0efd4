//! Statements that open, divide or close constructs: `IF`, `DO`, `SELECT`, `WHERE`, `FORALL`, `ASSOCIATE`, `END`.

use super::cursor::{Cursor, ParseResult};
use super::flat_statement::FlatStatement;
use super::{expressions, type_specs};
use crate::syntax::{
    CaseRange, Expr, ForallConstruct, LoopControl, LoopCounter, Statement, StatementKind as Exec,
};
use crate::text::TokenKind;

/// A statement that opens, divides or closes a block.
pub(super) fn construct_statement(
    cursor: &mut Cursor,
    word: &str,
) -> ParseResult<Option<FlatStatement>> {
    let flat = match word {
        "if" if cursor.is_mark_after(1, "(") => if_statement(cursor)?,
        "else" => {
            cursor.advance();
            if cursor.eat_word("if") {
                else_if(cursor)?
            } else if cursor.eat_word("where") {
                else_where(cursor)?
            } else {
                cursor.skip();
                FlatStatement::Else
            }
        }
        "elseif" => {
            cursor.advance();
            else_if(cursor)?
        }
        "elsewhere" => {
            cursor.advance();
            else_where(cursor)?
        }
        "do" => {
            cursor.advance();
            do_statement(cursor)?
        }
        "select" | "selectcase" | "selecttype" => select(cursor, word)?,
        "case" => {
            cursor.advance();
            case(cursor)?
        }
        "rank" | "class" | "type" if matches!(cursor.peek_after(1), Some(TokenKind::Name(x)) if matches!(&**x, "is" | "default")) =>
        {
            cursor.skip();
            FlatStatement::TypeCase
        }
        "where" => {
            cursor.advance();
            where_statement(cursor)?
        }
        "forall" => {
            cursor.advance();
            forall(cursor)?
        }
        "block" if cursor.peek_after(1).is_none() => {
            cursor.advance();
            FlatStatement::Block
        }
        "associate" => {
            cursor.advance();
            associate(cursor)?
        }
        "critical" => {
            cursor.skip();
            FlatStatement::Block
        }
        "contains" => {
            cursor.advance();
            FlatStatement::Contains
        }
        _ => match end_of(word) {
            Some(what) => end_statement(cursor, what)?,
            None => return Ok(None),
        },
    };
    Ok(Some(flat))
}

/// `END`, `END DO name`, `ENDDO`
fn end_statement(cursor: &mut Cursor, joined: &str) -> ParseResult<FlatStatement> {
    cursor.advance();
    let what = match joined {
        "" => cursor.word().cloned(),
        joined => Some(joined.into()),
    };
    // `ENDFILE` and `END FILE` are input and output statements.
    if what.as_deref() == Some("file") {
        cursor.skip();
        return Ok(FlatStatement::Executable(Exec::Transfer(Vec::new())));
    }
    cursor.skip();
    Ok(FlatStatement::End(what))
}

fn if_statement(cursor: &mut Cursor) -> ParseResult<FlatStatement> {
    cursor.advance();
    cursor.expect("(")?;
    let condition = cursor.expr()?;
    cursor.expect(")")?;
    if cursor.is_word("then") && cursor.peek_after(1).is_none() {
        return Ok(FlatStatement::IfThen(condition));
    }
    if let Some(TokenKind::Integer(_)) = cursor.peek() {
        let first = cursor.label()?;
        cursor.expect(",")?;
        let second = cursor.label()?;
        cursor.expect(",")?;
        let third = cursor.label()?;
        cursor.end()?;
        let labels = [first, second, third];
        return Ok(FlatStatement::Executable(Exec::ArithmeticIf(
            condition, labels,
        )));
    }
    let statement = action(cursor)?;
    Ok(FlatStatement::Executable(Exec::If(vec![(
        Some(condition),
        vec![statement],
    )])))
}

/// A statement that may follow `IF (…)`, `WHERE (…)` or `FORALL (…)`.
fn action(cursor: &mut Cursor) -> ParseResult<Statement> {
    let at = cursor.here();
    let kind = match cursor.deeper(Cursor::statement)? {
        FlatStatement::Executable(exec) => exec,
        FlatStatement::Assignment(left, right) => Exec::Assign(left, right),
        FlatStatement::Nothing => Exec::Continue,
        _ => return cursor.fail(),
    };
    Ok(Statement {
        label: None,
        at: cursor.since(at),
        kind,
    })
}

fn else_if(cursor: &mut Cursor) -> ParseResult<FlatStatement> {
    cursor.expect("(")?;
    let condition = cursor.expr()?;
    cursor.expect(")")?;
    cursor.eat_word("then");
    cursor.skip();
    Ok(FlatStatement::ElseIf(condition))
}

fn else_where(cursor: &mut Cursor) -> ParseResult<FlatStatement> {
    let mask = match cursor.eat("(") {
        true => {
            let mask = cursor.expr()?;
            cursor.expect(")")?;
            Some(mask)
        }
        false => None,
    };
    cursor.skip();
    Ok(FlatStatement::ElseWhere(mask))
}

/// The rest of a `DO` statement.
fn do_statement(cursor: &mut Cursor) -> ParseResult<FlatStatement> {
    let label = match cursor.peek() {
        Some(TokenKind::Integer(_)) => Some(cursor.label()?),
        _ => None,
    };
    cursor.eat(",");
    if cursor.is_at_end() {
        return Ok(FlatStatement::Do(label, Box::new(LoopControl::Forever)));
    }
    if cursor.is_mark_after(1, "(") && (cursor.eat_word("while") || cursor.eat_word("dowhile")) {
        cursor.expect("(")?;
        let condition = cursor.expr()?;
        cursor.expect(")")?;
        cursor.end()?;
        return Ok(FlatStatement::Do(
            label,
            Box::new(LoopControl::While(condition)),
        ));
    }
    if cursor.is_mark_after(1, "(") && cursor.eat_word("concurrent") {
        let (counters, mask) = counters(cursor)?;
        cursor.skip(); // locality
        return Ok(FlatStatement::Do(
            label,
            Box::new(LoopControl::Concurrent(counters, mask)),
        ));
    }
    let variable = expressions::designator(cursor)?;
    cursor.expect("=")?;
    let counter = counter_bounds(cursor, variable, ",")?;
    cursor.end()?;
    Ok(FlatStatement::Do(
        label,
        Box::new(LoopControl::Counted(counter)),
    ))
}

/// `first, last, step`
fn counter_bounds(cursor: &mut Cursor, variable: Expr, mark: &str) -> ParseResult<LoopCounter> {
    let first = cursor.expr()?;
    cursor.expect(mark)?;
    let last = cursor.expr()?;
    let step = match cursor.eat(mark) {
        true => Some(cursor.expr()?),
        false => None,
    };
    Ok(LoopCounter {
        variable,
        first,
        last,
        step,
    })
}

/// `(i = 1:n, j = 1:m, mask)`
fn counters(cursor: &mut Cursor) -> ParseResult<(Vec<LoopCounter>, Option<Expr>)> {
    cursor.expect("(")?;
    if cursor.is_word("integer") {
        type_specs::type_spec(cursor)?;
        cursor.expect("::")?;
    }
    let mut counters = Vec::new();
    let mut mask = None;
    loop {
        if cursor.word().is_some() && cursor.is_mark_after(1, "=") {
            let variable = expressions::designator(cursor)?;
            cursor.advance();
            counters.push(counter_bounds(cursor, variable, ":")?);
        } else {
            mask = Some(cursor.expr()?);
        }
        if !cursor.eat(",") {
            break;
        }
    }
    cursor.expect(")")?;
    Ok((counters, mask))
}

fn select(cursor: &mut Cursor, word: &str) -> ParseResult<FlatStatement> {
    cursor.advance();
    let is_case = word == "selectcase" || (word == "select" && cursor.eat_word("case"));
    if !is_case {
        cursor.skip();
        return Ok(FlatStatement::SelectType);
    }
    cursor.expect("(")?;
    let value = cursor.expr()?;
    cursor.expect(")")?;
    cursor.end()?;
    Ok(FlatStatement::Select(value))
}

fn case(cursor: &mut Cursor) -> ParseResult<FlatStatement> {
    if cursor.eat_word("default") {
        cursor.skip();
        return Ok(FlatStatement::Case(Vec::new()));
    }
    cursor.expect("(")?;
    let ranges = cursor.list(|c| {
        let first = match c.is_mark(":") {
            true => None,
            false => Some(c.expr()?),
        };
        if !c.eat(":") {
            return first.map(CaseRange::Value).map_or_else(|| c.fail(), Ok);
        }
        let last = match c.is_mark(",") || c.is_mark(")") {
            true => None,
            false => Some(c.expr()?),
        };
        Ok(CaseRange::Range(first, last))
    })?;
    cursor.expect(")")?;
    cursor.skip();
    Ok(FlatStatement::Case(ranges))
}

fn where_statement(cursor: &mut Cursor) -> ParseResult<FlatStatement> {
    cursor.expect("(")?;
    let mask = cursor.expr()?;
    cursor.expect(")")?;
    if cursor.is_at_end() {
        return Ok(FlatStatement::Where(mask));
    }
    let statement = action(cursor)?;
    Ok(FlatStatement::Executable(Exec::Where(vec![(
        Some(mask),
        vec![statement],
    )])))
}

fn forall(cursor: &mut Cursor) -> ParseResult<FlatStatement> {
    let (counters, mask) = counters(cursor)?;
    if cursor.is_at_end() {
        return Ok(FlatStatement::Forall(counters, mask));
    }
    let statement = action(cursor)?;
    Ok(FlatStatement::Executable(Exec::Forall(Box::new(
        ForallConstruct {
            counters,
            mask,
            body: vec![statement],
        },
    ))))
}

fn associate(cursor: &mut Cursor) -> ParseResult<FlatStatement> {
    cursor.expect("(")?;
    let list = cursor.list(|c| {
        let name = c.ident()?.key;
        c.expect("=>")?;
        Ok((name, c.expr()?))
    })?;
    cursor.expect(")")?;
    cursor.end()?;
    Ok(FlatStatement::Associate(list))
}

/// The construct that a word ends: `enddo` ends a `do`; `end` is followed by the construct.
fn end_of(word: &str) -> Option<&str> {
    let rest = word.strip_prefix("end")?;
    let is_known = matches!(
        rest,
        "" | "do"
            | "if"
            | "select"
            | "where"
            | "forall"
            | "block"
            | "associate"
            | "critical"
            | "program"
            | "module"
            | "submodule"
            | "function"
            | "subroutine"
            | "procedure"
            | "interface"
            | "type"
            | "blockdata"
            | "enum"
            | "team"
    );
    is_known.then_some(rest)
}
