//! The tokens of the innermost file as written; directives are processed on the way.

use super::preamble_reuse;
use super::state::{Guard, Preprocessor};
use super::token::{Name, Token};

/// The next token of the innermost file; directives before it are processed.
pub(super) fn next_in_file(ctx: &mut Preprocessor) -> Option<Token> {
    loop {
        if ctx.budget.is_over() {
            ctx.give_up_invocation();
        }
        if ctx.budget.is_exhausted() {
            return None;
        }
        let reader = ctx.readers.last_mut()?;
        let text = ctx.sources.file(reader.lexer.file()).text();
        let token = reader.lexer.next(text, &mut ctx.names)?;
        if token.newline && token.is(Name::HASH) {
            ctx.directive(token);
            continue;
        }
        ctx.budget.charge_reading(1);
        if reader.conditions.is_empty() {
            reader.guard = Guard::Absent;
        }
        preamble_reuse::end_preamble(ctx);
        return Some(token);
    }
}
