//! Executable statements without a block: calls, jumps, allocations.

use super::cursor::{Cursor, ParseResult};
use super::{data_transfer, expressions, type_specs};
use crate::syntax::{
    AllocateOptions, AllocationSource, Expr, ExprKind, NameKey, StatementKind as Exec,
};

/// An executable statement that starts with a word; `None` if no such statement does.
pub(super) fn executable(cursor: &mut Cursor, word: &str) -> ParseResult<Option<Exec>> {
    let start = cursor.position();
    cursor.advance();
    let exec = match word {
        "call" => call_statement(cursor)?,
        "goto" => goto(cursor)?,
        "go" if cursor.eat_word("to") => goto(cursor)?,
        "continue" => {
            cursor.end()?;
            Exec::Continue
        }
        "return" if cursor.is_at_end() => Exec::Return,
        "return" => {
            cursor.expr()?;
            cursor.end()?;
            Exec::AlternateReturn
        }
        "stop" | "error" => {
            cursor.skip();
            Exec::Stop
        }
        "cycle" => Exec::Cycle(construct_name(cursor)?),
        "exit" => Exec::Exit(construct_name(cursor)?),
        "allocate" => {
            let (objects, options) = allocation(cursor)?;
            Exec::Allocate(objects, options)
        }
        "deallocate" | "nullify" => {
            let (objects, options) = allocation(cursor)?;
            Exec::Deallocate(objects, options)
        }
        "assign" | "pause" | "sync" | "lock" | "unlock" | "event" | "change" | "form" | "fail" => {
            cursor.skip();
            Exec::Continue
        }
        _ => match data_transfer::transfer(cursor, word)? {
            Some(exec) => exec,
            None => {
                cursor.back_to(start);
                return Ok(None);
            }
        },
    };
    Ok(Some(exec))
}

fn construct_name(cursor: &mut Cursor) -> ParseResult<Option<NameKey>> {
    let name = cursor.word().cloned();
    cursor.skip();
    Ok(name)
}

fn call_statement(cursor: &mut Cursor) -> ParseResult<Exec> {
    let callee = expressions::designator(cursor)?;
    cursor.end()?;
    Ok(match callee.kind {
        ExprKind::Apply(base, arguments) => Exec::Call(*base, arguments),
        kind => Exec::Call(
            Expr {
                at: callee.at,
                kind,
            },
            Vec::new(),
        ),
    })
}

fn goto(cursor: &mut Cursor) -> ParseResult<Exec> {
    if cursor.eat("(") {
        let labels = cursor.list(Cursor::label)?;
        cursor.expect(")")?;
        cursor.eat(",");
        let value = cursor.expr()?;
        return Ok(Exec::ComputedGoto(labels, value));
    }
    if cursor.word().is_some() {
        cursor.skip();
        return Ok(Exec::AssignedGoto);
    }
    let label = cursor.label()?;
    cursor.end()?;
    Ok(Exec::Goto(label))
}

/// `(a(n), b, stat = ierr)`: the objects and the options.
fn allocation(cursor: &mut Cursor) -> ParseResult<(Vec<Expr>, AllocateOptions)> {
    cursor.expect("(")?;
    let before = cursor.position();
    if type_specs::type_spec(cursor).is_err() || !cursor.eat("::") {
        cursor.back_to(before);
    }
    let list = cursor.list(|c| match (c.word(), c.is_mark_after(1, "=")) {
        (Some(option), true) => {
            c.advance();
            c.advance();
            Ok((Some(option), c.expr()?))
        }
        _ => Ok((None, expressions::designator(c)?)),
    })?;
    cursor.expect(")")?;
    cursor.end()?;
    let mut objects = Vec::new();
    let mut options = AllocateOptions::default();
    for (option, expr) in list {
        match option.map(|key| &**key) {
            None => objects.push(expr),
            Some("source") => options.source = Some((AllocationSource::Source, expr)),
            Some("mold") => options.source = Some((AllocationSource::Mold, expr)),
            Some(_) => options.reports.push(expr),
        }
    }
    Ok((objects, options))
}
