//! `DO` constructs and `FORALL`.

use crate::build;
use crate::names::constants;
use crate::syntax::visit::walk;
use crate::syntax::{
    DoConstruct, Expr, ForallConstruct, LoopControl, LoopCounter, Statement as FortranStatement,
    StatementKind as Fortran,
};
use crate::translate::arrays::element_loops;
use crate::translate::context::Translator;
use crate::translate::expressions::scalar;
use crate::translate::statements::{constructs, do_variables};
use crate::translate::{invariance, rejections};
use premiss_ast::syntax::{
    Binary, Expression, ExpressionKind, For, Name, Statement, StatementKind, TextRange,
};

/// A `DO` construct, with its DO variables active in the body.
pub(crate) fn do_construct(ctx: &mut Translator, inner: &DoConstruct, at: TextRange) -> Statement {
    constructs::open_construct(ctx, inner.name.clone(), true, last_label(&inner.body), at);
    let n_active = ctx.control.do_variables.len();
    do_variables::activate_do_variables(ctx, inner);
    let body = ctx.body(&inner.body, inner.header);
    let body = constructs::with_cycle_label(ctx, body);
    let own = ctx
        .control
        .do_variables
        .drain(n_active..)
        .find_map(|one| one.substitute);
    let translated = match &inner.control {
        LoopControl::Counted(counter) => match own {
            Some(own) => count_with_substitute(ctx, counter, inner, body, &own),
            None => do_loop(ctx, counter, inner.header, body, &inner.body),
        },
        LoopControl::While(condition) => {
            let condition = ctx.expression(condition);
            let body = Box::new(body);
            build::statement(at, StatementKind::While { condition, body })
        }
        LoopControl::Forever => {
            let condition = scalar::truth_value(inner.header, true);
            let body = Box::new(body);
            build::statement(at, StatementKind::While { condition, body })
        }
        LoopControl::Concurrent(counters, mask) => nested_loops(
            ctx,
            counters,
            mask.as_ref(),
            body,
            inner.header,
            &inner.body,
        ),
    };
    constructs::close_construct(ctx, translated, at)
}

/// A loop whose variable could be accessed by called procedures: a substitute counts, and its value is stored to the
/// variable before each iteration and after the loop.
fn count_with_substitute(
    ctx: &mut Translator,
    counter: &LoopCounter,
    inner: &DoConstruct,
    body: Statement,
    own: &Name,
) -> Statement {
    let header = inner.header;
    let kind = ctx.env.type_of(&counter.variable).name();
    let Some(variable) = ctx.designator(&counter.variable) else {
        return rejections::unsupported_loop("a DO variable of this kind", header);
    };
    let start = build::object(header, own, kind, Some(variable.clone()));
    let store = || {
        build::evaluate(build::assign(
            header,
            variable.clone(),
            build::name(header, own),
        ))
    };
    let body = build::block(body.at, vec![store(), body]);
    let counted = do_loop_over(
        ctx,
        counter,
        header,
        build::name(header, own),
        body,
        &inner.body,
    );
    let at = counted.at;
    build::block(at, vec![build::declare(header, start), counted, store()])
}

/// Loops over several counters, the first one innermost.
fn nested_loops(
    ctx: &mut Translator,
    counters: &[LoopCounter],
    mask: Option<&Expr>,
    body: Statement,
    header: TextRange,
    inside: &[FortranStatement],
) -> Statement {
    let mut body = body;
    if let Some(mask) = mask {
        let condition = ctx.expression(mask);
        body = build::branch(body.at, condition, body, None);
    }
    for counter in counters {
        body = do_loop(ctx, counter, header, body, inside);
    }
    body
}

/// `FORALL`.
pub(crate) fn forall_construct(
    ctx: &mut Translator,
    inner: &ForallConstruct,
    at: TextRange,
) -> Statement {
    // Each statement executes all iterations before the next statement.
    let list = inner.body.iter().map(|one| {
        let body = ctx.body(std::slice::from_ref(one), at);
        nested_loops(
            ctx,
            &inner.counters,
            inner.mask.as_ref(),
            body,
            at,
            &inner.body,
        )
    });
    let list = list.collect();
    build::block(at, list)
}

/// `DO variable = first, last, step`: the trip count is fixed on entry (Fortran 2018, 11.1.7.4.1).
pub(crate) fn do_loop(
    ctx: &mut Translator,
    counter: &LoopCounter,
    header: TextRange,
    body: Statement,
    inside: &[FortranStatement],
) -> Statement {
    if !ctx.env.type_of(&counter.variable).is_integer() {
        return rejections::unsupported_loop("a DO variable that is no INTEGER", header);
    }
    let Some(variable) = ctx.designator(&counter.variable) else {
        return rejections::unsupported_loop("a DO variable of this kind", header);
    };
    do_loop_over(ctx, counter, header, variable, body, inside)
}

/// A `DO` loop over a variable that is an arbitrary object; the trip count is fixed on entry.
fn do_loop_over(
    ctx: &mut Translator,
    counter: &LoopCounter,
    header: TextRange,
    variable: Expression,
    body: Statement,
    inside: &[FortranStatement],
) -> Statement {
    let first = ctx.expression(&counter.first);
    let step = match &counter.step {
        None => Some(1),
        Some(step) => constants::integer(step, &ctx.env.scope),
    };
    // Dummy arguments by reference and components have no names of their own.
    let has_name = matches!(variable.kind, ExpressionKind::Name(_));
    let Some(step) = step.filter(|step| *step != 0 && has_name) else {
        return do_loop_by_trip_count(ctx, counter, header, variable, first, body);
    };
    let mut list = Vec::new();
    let last = last_value(ctx, counter, inside, &mut list);
    let operator = match step < 0 {
        true => Binary::GreaterEqual,
        false => Binary::LessEqual,
    };
    let condition = build::operation(header, operator, variable.clone(), last);
    let stepped = Box::new(variable.clone());
    let by = Box::new(build::integer(header, step));
    let step = ExpressionKind::Assign(Some(Binary::Add), stepped, by);
    let at = header.to(body.at);
    list.push(build::statement(
        at,
        StatementKind::For(Box::new(For {
            header,
            initial: build::evaluate(build::assign(header, variable, first)),
            condition: Some(condition),
            step: Some(Expression::new(header, step)),
            body,
        })),
    ));
    build::block(at, list)
}

/// The last value of a loop, evaluated before the loop into a constant if the loop may change it.
fn last_value(
    ctx: &mut Translator,
    counter: &LoopCounter,
    inside: &[FortranStatement],
    list: &mut Vec<Statement>,
) -> Expression {
    if !modifies_last_value(ctx, counter, inside) {
        return ctx.expression(&counter.last);
    }
    let at = counter.last.at;
    let own = component_name(&ctx.env.source_text(at)).unwrap_or_else(|| ctx.fresh_name("last"));
    let value = ctx.expression(&counter.last);
    list.push(build::constant(at, &own, build::long_name(), value));
    build::name(at, &own)
}

/// The name of a constant with the value of a component, `G%n`: that of the component, which no other variable can have;
/// `None` for other expressions.
fn component_name(text: &str) -> Option<Name> {
    let mut parts = text.split('%');
    let is_name = |part: &str| {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        rest.len() < part.len() && rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    (text.contains('%') && parts.all(is_name)).then(|| Name::from(text))
}

/// A loop with a step that is not constant: the trip count is `(last - first + step) / step`, and the variable is
/// `first + iteration * step`.
fn do_loop_by_trip_count(
    ctx: &mut Translator,
    counter: &LoopCounter,
    header: TextRange,
    variable: Expression,
    first: Expression,
    body: Statement,
) -> Statement {
    let (start, step, count) = (
        ctx.fresh_name("first"),
        ctx.fresh_name("step"),
        ctx.fresh_name("count"),
    );
    let iteration = ctx.fresh_name("iteration");
    // As wide as the variable: a value that does not fit is an error of the program.
    let kind = ctx.env.type_of(&counter.variable).name();
    let last = ctx.expression(&counter.last);
    let by = match &counter.step {
        Some(step) => ctx.expression(step),
        None => build::integer(header, 1),
    };
    let at_step = counter.step.as_ref().map_or(header, |step| step.at);
    let name = |name| build::name(header, name);
    let combine = |operator, a, b| build::binary(header, operator, a, b);
    let value_after = |n_iterations| {
        let moved = combine(Binary::Multiply, n_iterations, name(&step));
        combine(Binary::Add, name(&start), moved)
    };
    let distance = combine(Binary::Subtract, last, name(&start));
    let sum = combine(Binary::Add, distance, name(&step));
    let trip_count = combine(Binary::Divide, sum, name(&step));
    let set = build::assign(header, variable.clone(), value_after(name(&iteration)));
    let at = body.at;
    let body = build::block(at, vec![build::evaluate(set), body]);
    let at = header.to(body.at);
    let counted =
        element_loops::counted_loop_of_type(header, &iteration, kind.clone(), name(&count), body);
    // The value of the variable after the loop.
    let zero = build::cast(header, kind.clone(), build::integer(header, 0));
    let runs = combine(Binary::Maximum, name(&count), zero);
    let end = build::assign(header, variable, value_after(runs));
    let list = vec![
        build::constant(counter.first.at, &start, kind.clone(), first),
        build::constant(at_step, &step, kind.clone(), by),
        build::constant(header, &count, kind, trip_count),
        Statement { at, ..counted },
        build::evaluate(end),
    ];
    build::block(at, list)
}

/// Whether a loop changes its last value, or evaluating that value makes accesses.
fn modifies_last_value(
    ctx: &Translator,
    counter: &LoopCounter,
    inside: &[FortranStatement],
) -> bool {
    let mut is_own = false;
    walk(&counter.last, &mut |part| {
        is_own |= part.as_name().is_some() && part.as_name() == counter.variable.as_name();
    });
    is_own || invariance::may_change(ctx, &counter.last, inside)
}

/// The label of the last statement of a loop's body, if that statement has no effect.
fn last_label(body: &[FortranStatement]) -> Option<u32> {
    let last = body.last()?;
    last.label
        .filter(|_| matches!(last.kind, Fortran::Continue))
}
