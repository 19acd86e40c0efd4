//! `for`, `while` and `loop`.
//!
//! A `for` over a known iterator becomes the loops that drive it; over any other value, a loop with an unknown trip
//! count.

use crate::ast_builder;
use crate::body::context::Body;
use crate::body::control::program_iterators::{self, ProgramItems};
use crate::body::control::{blocks, branches, jump_scan, jumps, loop_statements};
use crate::body::iterators::drive::LoopNames;
use crate::body::iterators::{adapters, drive, held_iterators, positions};
use crate::body::values::patterns;
use crate::loop_accounting::CoverageMark;
use crate::types::Ty;
use crate::value::{ItemSequence, Position, Value};
use premiss_ast::syntax::{Binary, Expression, Statement, StatementKind, TextRange, Unary};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, Pat, Stmt};

pub(crate) fn for_loop<'a>(
    ctx: &mut Body<'a, '_>,
    one: &'a syn::ExprForLoop,
    at: TextRange,
) -> Value<'a> {
    let items = ctx.expression(&one.expr, None);
    let expr_at = ctx.at(&one.expr);
    let header = ctx.place(one.for_token.span).to(expr_at);
    let sequence = match adapters::into_sequence(ctx, items.clone(), expr_at) {
        Some(sequence) => sequence,
        None => match program_iterators::program_items(ctx, items, expr_at) {
            Some(ProgramItems::Sequence(sequence)) => *sequence,
            Some(ProgramItems::Next(iterator, next)) => {
                return program_iterators::next_loop(ctx, one, (iterator, next), header);
            }
            None => return unknown_for(ctx, one, header),
        },
    };
    let items = LoopItems {
        sequence,
        pattern: &one.pat,
        body: &one.body.stmts,
    };
    for_items(ctx, items, one.label.as_ref(), header);
    loop_statements::finish_loop(ctx, at);
    Value::Unit
}

/// The items of a loop and what is done with each.
struct LoopItems<'a> {
    sequence: ItemSequence<'a>,
    pattern: &'a Pat,
    body: &'a [Stmt],
}

/// Emits the loop over items, which is left open.
fn for_items<'a>(
    ctx: &mut Body<'a, '_>,
    items: LoopItems<'a>,
    label: Option<&syn::Label>,
    header: TextRange,
) {
    let LoopItems {
        sequence,
        pattern,
        body,
    } = items;
    jumps::enter(ctx, label.map(|label| &label.name), true);
    if let (Some(around), true) = (ctx.jump_targets.last_mut(), sequence.chained.is_some()) {
        // A jump out of one of several consecutive loops leaves all of them.
        around.n_loops = usize::MAX;
    }
    let sequence = match jump_scan::contains_jump(body) {
        true => positions::partial(sequence),
        false => sequence,
    };
    let names = LoopNames::of(pattern);
    drive::drive(ctx, sequence, header, &names, &mut |ctx, item| {
        let depth = ctx.n_loops;
        if let Some(around) = ctx.jump_targets.last_mut() {
            around.n_body_loops = depth;
        }
        patterns::bind(ctx, pattern, item);
        let environment = ctx.environment.clone();
        let value = blocks::all_statements(ctx, body);
        ctx.environment = environment;
        ctx.evaluate(value);
    });
}

/// A loop that takes an item of an iterator that a variable holds at the start of each iteration:
/// `while let Some(x) = it.next() { … }`. If its body takes others, it visits all, and skips those that were taken.
fn taking_loop<'a>(
    ctx: &mut Body<'a, '_>,
    (pattern, value): (&'a Pat, &'a Expr),
    body: &'a [Stmt],
    label: Option<&syn::Label>,
    header: TextRange,
) -> bool {
    let Some((held, pattern, name)) = held_iterators::next_of_held(ctx, pattern, value) else {
        return false;
    };
    let mentions = body.iter().map(|one| use_of(one.to_token_stream(), &name));
    let sequence = match mentions.max().unwrap_or(Use::Absent) {
        Use::Absent => positions::borrowed(ctx, held),
        Use::Read => positions::partial(positions::borrowed(ctx, held)),
        Use::Other => return skipping_loop(ctx, (held, pattern), body, label, header),
    };
    let items = LoopItems {
        sequence,
        pattern,
        body,
    };
    for_items(ctx, items, label, header);
    true
}

/// A loop over the items that are left of an iterator, of which it skips those that its body has taken.
fn skipping_loop<'a>(
    ctx: &mut Body<'a, '_>,
    (held, pattern): (ItemSequence<'a>, &'a Pat),
    body: &'a [Stmt],
    label: Option<&syn::Label>,
    header: TextRange,
) -> bool {
    let (Position::Held(taken), Some(_)) = (held.position.clone(), &held.count) else {
        return false;
    };
    if positions::runs_code(&held.item) {
        return false;
    }
    jumps::enter(ctx, label.map(|label| &label.name), true);
    let first = ctx.stabilize(taken.clone(), "first");
    let rest = positions::rest_from(held, first.clone());
    let rest = adapters::enumerated(ctx, rest, header);
    drive::drive(
        ctx,
        rest,
        header,
        &LoopNames::of(pattern),
        &mut |ctx, item| {
            let depth = ctx.n_loops;
            if let Some(around) = ctx.jump_targets.last_mut() {
                around.n_body_loops = depth;
            }
            let Value::Tuple(pair) = item else { return };
            let [Value::Plain(number, _), item] = pair.as_slice() else {
                return;
            };
            let index = ast_builder::binary(header, Binary::Add, number.clone(), first.clone());
            let is_next = ast_builder::binary(header, Binary::Equal, index.clone(), taken.clone());
            let (list, ()) = ctx.emit_aside(|ctx| {
                let one = ast_builder::integer(header, 1);
                let next = ast_builder::binary(header, Binary::Add, index, one);
                let change = ast_builder::assign(header, taken.clone(), next);
                ctx.emit(ast_builder::evaluated(change));
                patterns::bind(ctx, pattern, item.clone());
                let value = blocks::all_statements(ctx, body);
                ctx.evaluate(value);
            });
            branches::emit_if(ctx, is_next, list, Vec::new(), header);
        },
    );
    true
}

/// What a text does with an iterator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    Absent,
    /// It does not take items.
    Read,
    Other,
}

/// What a text does with the iterator of a name.
fn use_of(text: TokenStream, name: &str) -> Use {
    let tokens: Vec<TokenTree> = text.into_iter().collect();
    let after = |idx: usize| tokens.get(idx).map(ToString::to_string);
    let uses = tokens.iter().enumerate().map(|(idx, token)| match token {
        TokenTree::Ident(ident) if ident == name => {
            let method = after(idx + 2);
            let reads = ["peek", "len", "clone"];
            let is_read = method.is_some_and(|method| reads.contains(&method.as_str()));
            match is_read && after(idx + 1).as_deref() == Some(".") {
                true => Use::Read,
                false => Use::Other,
            }
        }
        TokenTree::Literal(literal) if literal.to_string().contains(name) => Use::Other,
        TokenTree::Group(group) => use_of(group.stream(), name),
        _ => Use::Absent,
    });
    uses.max().unwrap_or(Use::Absent)
}

/// A loop with an unknown trip count.
fn unknown_for<'a>(
    ctx: &mut Body<'a, '_>,
    one: &'a syn::ExprForLoop,
    header: TextRange,
) -> Value<'a> {
    let at = ctx.at(&one.expr);
    let label = one.label.as_ref().map(|label| &label.name);
    jumps::enter(ctx, label, true);
    let condition = ast_builder::data(at, premiss_ast::syntax::TypeName::Bool);
    let body = loop_body(ctx, at, |ctx| {
        patterns::bind(ctx, &one.pat, Value::Unknown(Ty::unknown()));
        blocks::scoped_block(ctx, &one.body)
    });
    loop_statements::emit_while(ctx, header, condition, body);
    loop_statements::finish_loop(ctx, header)
}

/// The statements of an iteration, with the end of the iteration.
pub(crate) fn loop_body<'a>(
    ctx: &mut Body<'a, '_>,
    at: TextRange,
    make: impl FnOnce(&mut Body<'a, '_>) -> Value<'a>,
) -> Vec<Statement> {
    ctx.n_loops += 1;
    let (mut list, ()) = ctx.emit_aside(|ctx| {
        let value = make(ctx);
        ctx.evaluate(value);
    });
    ctx.n_loops -= 1;
    loop_statements::end_iteration(ctx, &mut list, at);
    list
}

pub(crate) fn while_loop<'a>(
    ctx: &mut Body<'a, '_>,
    one: &'a syn::ExprWhile,
    at: TextRange,
) -> Value<'a> {
    let header = ctx.place(one.while_token.span).to(ctx.at(&one.cond));
    if let Expr::Let(condition) = &*one.cond {
        let item = (&*condition.pat, &*condition.expr);
        if taking_loop(ctx, item, &one.body.stmts, one.label.as_ref(), header) {
            return loop_statements::finish_loop(ctx, at);
        }
    }
    jumps::enter(ctx, one.label.as_ref().map(|label| &label.name), true);
    let environment = ctx.environment.clone();
    let (statements, condition) = ctx.emit_aside_binding(|ctx| ctx.condition(&one.cond));
    let lets = std::mem::take(&mut ctx.let_bindings);
    let mut condition = ctx.with_statements(statements, condition);
    let first = match (lets.is_empty(), one.body.stmts.split_first()) {
        (true, Some((first, _))) => countdown_step(ctx, first, &condition),
        _ => None,
    };
    let body = match first {
        Some(step) => {
            condition = ast_builder::and(condition.at, condition, step);
            loop_body(ctx, at, |ctx| statement_list(ctx, &one.body.stmts[1..]))
        }
        None => loop_body(ctx, at, |ctx| {
            for (pattern, value) in lets {
                patterns::bind(ctx, pattern, value);
            }
            ctx.statements(&one.body)
        }),
    };
    ctx.environment = environment;
    loop_statements::emit_while(ctx, header, condition, body);
    loop_statements::finish_loop(ctx, at)
}

/// Moves the first statement of `while i > 0 { i -= 1; … }` into the condition: it yields the old value of `i`, which
/// is not 0.
fn countdown_step<'a>(
    ctx: &mut Body<'a, '_>,
    first: &'a Stmt,
    condition: &Expression,
) -> Option<Expression> {
    use premiss_ast::syntax::{Binary, ExpressionKind as Kind};
    let Stmt::Expr(Expr::Binary(step), Some(_)) = first else {
        return None;
    };
    let is_step = matches!(step.op, syn::BinOp::SubAssign(_));
    let Kind::Binary(operator, compared, bound) = &condition.kind else {
        return None;
    };
    let is_natural = match operator {
        Binary::Greater => ast_builder::as_integer(bound).is_none_or(|bound| 0 <= bound),
        Binary::NotEqual => ast_builder::as_integer(bound) == Some(0),
        _ => false,
    };
    let (place, found) = ctx
        .emit_nothing(|ctx| ctx.expression(&step.left, None))
        .place()?;
    let by = ctx.emit_nothing(|ctx| ctx.integer(&step.right));
    let (Kind::Name(counter), Kind::Name(name)) = (&compared.kind, &place.kind) else {
        return None;
    };
    let is_unsigned =
        matches!(ctx.inference.resolve(&found), Ty::Int(kind) if !kind.signed || kind.bits == 0);
    let is_it = counter == name && ast_builder::as_integer(&by) == Some(1);
    (is_step && is_natural && is_it && is_unsigned).then(|| {
        let kind = Kind::Increment {
            step: -1,
            is_prefix: false,
            operand: Box::new(place),
        };
        Expression::new(ctx.at(first), kind)
    })
}

/// `loop`: one that a test in its first or last statement leaves is a `while` or `do … while`.
pub(crate) fn endless_loop<'a>(
    ctx: &mut Body<'a, '_>,
    one: &'a syn::ExprLoop,
    at: TextRange,
) -> Value<'a> {
    let keyword = ctx.place(one.loop_token.span);
    if let Some((first, rest)) = one.body.stmts.split_first()
        && let Some(item) = item_or_break(first)
        && taking_loop(
            ctx,
            item,
            rest,
            one.label.as_ref(),
            keyword.to(ctx.at(first)),
        )
    {
        return loop_statements::finish_loop(ctx, at);
    }
    jumps::enter(ctx, one.label.as_ref().map(|label| &label.name), true);
    let statements = one.body.stmts.as_slice();
    match (statements.split_first(), statements.split_last()) {
        (Some((first, rest)), _) if let Some(test) = ending(first) => {
            let header = keyword.to(ctx.at(test));
            let (before, condition) = ctx.emit_aside_binding(|ctx| ctx.condition(test));
            let condition = ast_builder::unary(condition.at, Unary::Not, condition);
            let condition = ctx.with_statements(before, negated(condition));
            let body = loop_body(ctx, at, |ctx| statement_list(ctx, rest));
            loop_statements::emit_while(ctx, header, condition, body);
        }
        (_, Some((last, rest)))
            if let Some(test) = ending(last)
                && !jump_scan::contains_continue(rest) =>
        {
            do_while(ctx, rest, test, keyword, at);
        }
        _ => {
            let condition = ast_builder::integer(keyword, 1);
            let body = loop_body(ctx, at, |ctx| ctx.statements(&one.body));
            loop_statements::emit_while(ctx, keyword, condition, body);
        }
    }
    let result = loop_statements::finish_loop(ctx, at);
    match jump_scan::contains_break(&one.body) {
        true => result,
        false => Value::Never,
    }
}

fn do_while<'a>(
    ctx: &mut Body<'a, '_>,
    rest: &'a [Stmt],
    test: &'a Expr,
    keyword: TextRange,
    at: TextRange,
) {
    let mut condition = None;
    let list = loop_body(ctx, at, |ctx| {
        let value = statement_list(ctx, rest);
        ctx.evaluate(value);
        let (before, truth) = ctx.emit_aside_binding(|ctx| ctx.condition(test));
        let truth = ast_builder::unary(truth.at, Unary::Not, truth);
        condition = Some(ctx.with_statements(before, negated(truth)));
        Value::Unit
    });
    let condition = condition.unwrap_or_else(|| ast_builder::integer(at, 0));
    // The declarations of the body are not in scope at the condition.
    let place = keyword.to(condition.at);
    let kind = StatementKind::DoWhile {
        body: Box::new(ast_builder::block(place, list)),
        condition,
    };
    loop_statements::hoist_declarations(ctx);
    ctx.marks.push(CoverageMark::Loop(keyword));
    ctx.emit(ast_builder::statement(place, kind));
}

/// The remaining statements of a block.
fn statement_list<'a>(ctx: &mut Body<'a, '_>, statements: &'a [Stmt]) -> Value<'a> {
    for (idx, statement) in statements.iter().enumerate() {
        if let Value::Never = blocks::one_statement(ctx, statement) {
            blocks::mark_unreachable(ctx, &statements[idx + 1..]);
            return Value::Never;
        }
    }
    Value::Unit
}

/// The pattern and the value of `let pattern = value else { break };`.
fn item_or_break(statement: &Stmt) -> Option<(&Pat, &Expr)> {
    let Stmt::Local(local) = statement else {
        return None;
    };
    let init = local.init.as_ref()?;
    let Expr::Block(otherwise) = &*init.diverge.as_ref()?.1 else {
        return None;
    };
    let is_break = match otherwise.block.stmts.as_slice() {
        [Stmt::Expr(Expr::Break(jump), _)] => jump.label.is_none() && jump.expr.is_none(),
        _ => false,
    };
    is_break.then_some((&local.pat, &*init.expr))
}

/// The condition of `if condition { break; }`.
fn ending(statement: &Stmt) -> Option<&Expr> {
    let Stmt::Expr(Expr::If(branch), _) = statement else {
        return None;
    };
    let is_break = match branch.then_branch.stmts.as_slice() {
        [Stmt::Expr(Expr::Break(jump), _)] => jump.label.is_none() && jump.expr.is_none(),
        _ => false,
    };
    let is_let = matches!(&*branch.cond, Expr::Let(_));
    (is_break && branch.else_branch.is_none() && !is_let).then_some(&*branch.cond)
}

/// `!(a >= b)` as `a < b`.
fn negated(expression: Expression) -> Expression {
    use premiss_ast::syntax::{Binary, ExpressionKind as Kind};
    let Kind::Unary(Unary::Not, inner) = &expression.kind else {
        return expression;
    };
    let Kind::Binary(operator, a, b) = &inner.kind else {
        return expression;
    };
    let opposite = match operator {
        Binary::Less => Binary::GreaterEqual,
        Binary::LessEqual => Binary::Greater,
        Binary::Greater => Binary::LessEqual,
        Binary::GreaterEqual => Binary::Less,
        Binary::Equal => Binary::NotEqual,
        Binary::NotEqual => Binary::Equal,
        _ => return expression,
    };
    let kind = Kind::Binary(opposite, a.clone(), b.clone());
    Expression::new(expression.at, kind)
}
