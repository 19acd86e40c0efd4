//! Open constructs, and the `CYCLE` and `EXIT` statements that leave them.

use crate::build;
use crate::syntax::NameKey;
use crate::translate::context::Translator;
use crate::translate::control::OpenConstruct;
use crate::translate::rejections;
use premiss_ast::syntax::{Name, Statement, StatementKind, TextRange};

/// Opens a named block.
pub(crate) fn open_block(ctx: &mut Translator, name: Option<NameKey>, at: TextRange) {
    open_construct(ctx, name, false, None, at);
}

/// Opens a loop or block.
pub(crate) fn open_construct(
    ctx: &mut Translator,
    name: Option<NameKey>,
    is_loop: bool,
    last_label: Option<u32>,
    at: TextRange,
) {
    let place = at.start;
    ctx.control.constructs.push(OpenConstruct {
        name,
        is_loop,
        last_label,
        exit: Name::from(format!("exit@{place}")),
        cycle: Name::from(format!("cycle@{place}")),
        has_exit: false,
        has_cycle: false,
    });
}

/// The body with the label after it that jumps from inner loops lead to.
pub(crate) fn with_cycle_label(ctx: &mut Translator, body: Statement) -> Statement {
    let Some(open) = ctx.control.constructs.last().filter(|open| open.has_cycle) else {
        return body;
    };
    let end = TextRange {
        start: body.at.end,
        ..body.at
    };
    let label = StatementKind::Label(open.cycle.clone(), Box::new(build::empty(end)));
    build::block(body.at, vec![body, build::statement(end, label)])
}

/// The construct with the label after it that jumps lead to.
pub(crate) fn close_construct(
    ctx: &mut Translator,
    translated: Statement,
    at: TextRange,
) -> Statement {
    match ctx.control.constructs.pop().filter(|open| open.has_exit) {
        None => translated,
        Some(open) => {
            let end = TextRange {
                start: at.end,
                ..at
            };
            let label = StatementKind::Label(open.exit, Box::new(build::empty(end)));
            build::block(at, vec![translated, build::statement(end, label)])
        }
    }
}

/// `CYCLE`.
pub(crate) fn cycle(ctx: &mut Translator, target: Option<&NameKey>, at: TextRange) -> Statement {
    match target_construct(ctx, target) {
        Some((_, true)) => build::statement(at, StatementKind::Continue),
        Some((idx, false)) => {
            ctx.control.constructs[idx].has_cycle = true;
            let label = ctx.control.constructs[idx].cycle.clone();
            build::statement(at, StatementKind::Goto(Some(label)))
        }
        None => build::statement(
            at,
            StatementKind::Error(rejections::untranslated_jump("CYCLE")),
        ),
    }
}

/// `EXIT`.
pub(crate) fn exit(ctx: &mut Translator, target: Option<&NameKey>, at: TextRange) -> Statement {
    match target_construct(ctx, target) {
        Some((idx, true)) if ctx.control.constructs[idx].is_loop => {
            build::statement(at, StatementKind::Break)
        }
        Some((idx, _)) => {
            ctx.control.constructs[idx].has_exit = true;
            let label = ctx.control.constructs[idx].exit.clone();
            build::statement(at, StatementKind::Goto(Some(label)))
        }
        None => build::statement(
            at,
            StatementKind::Error(rejections::untranslated_jump("EXIT")),
        ),
    }
}

/// The construct that a statement refers to, and whether it is the innermost loop.
fn target_construct(ctx: &Translator, name: Option<&NameKey>) -> Option<(usize, bool)> {
    let innermost = ctx.control.constructs.iter().rposition(|open| open.is_loop);
    let idx = match name {
        None => innermost?,
        Some(_) => ctx
            .control
            .constructs
            .iter()
            .rposition(|open| open.name.as_ref() == name)?,
    };
    Some((idx, Some(idx) == innermost))
}

/// Whether a jump to a label only ends an iteration of the innermost loop.
pub(crate) fn ends_iteration(ctx: &Translator, label: u32) -> bool {
    let innermost = ctx
        .control
        .constructs
        .iter()
        .rev()
        .find(|open| open.is_loop);
    innermost.is_some_and(|open| open.last_label == Some(label))
}
