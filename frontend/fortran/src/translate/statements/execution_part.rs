//! Sequences of executable statements, and the dispatch of each statement to its translation.

use crate::build;
use crate::syntax::{
    BinaryOperator as Op, Expr, ExprKind, Statement as FortranStatement, StatementKind as Fortran,
};
use crate::translate::arrays::{allocation, pointer_assignment};
use crate::translate::calls::{call_statements, hoisting};
use crate::translate::context::{MAX_EXPANSION, MAX_EXPANSION_DEPTH, Translator};
use crate::translate::statements::{
    assignments, associate, branches, constructs, data_transfer, do_loops, jumps, where_construct,
};
use crate::translate::{rejections, temporaries, unknown_effects};
use premiss_ast::syntax::{ProgramEnd, Statement, StatementKind, TextRange};
use premiss_tree::RejectReason;

/// Statements in sequence, without those that are executed only if an allocation fails.
pub(crate) fn statements(ctx: &mut Translator, list: &[FortranStatement]) -> Vec<Statement> {
    let before = std::iter::once(None).chain(list.iter().map(Some));
    let pairs = before.zip(list);
    let translated = pairs.map(|(before, one)| match before {
        // Executed only without memory.
        Some(before) if tests_allocation_failure(ctx, before, one) => build::empty(one.at),
        _ => labelled_statement(ctx, one),
    });
    translated.collect()
}

/// Statements as a single one.
pub(crate) fn body(ctx: &mut Translator, list: &[FortranStatement], at: TextRange) -> Statement {
    let at = match (list.first(), list.last()) {
        (Some(first), Some(last)) => first.at.to(last.at),
        _ => TextRange {
            start: at.end,
            ..at
        },
    };
    let list = ctx.statements(list);
    build::block(at, list)
}

/// A statement with its label, if a jump leads to it.
fn labelled_statement(ctx: &mut Translator, fortran: &FortranStatement) -> Statement {
    let mut translated = statement(ctx, fortran);
    if std::mem::take(&mut ctx.expansion.is_exhausted) {
        translated = expansion_limit(fortran.at);
    }
    let is_block = matches!(fortran.kind, Fortran::Block(_) | Fortran::Associate(..));
    let is_whole = matches!(translated.kind, StatementKind::Error(_));
    if is_whole || (!is_block && unknown_effects::is_rejected(&translated)) {
        let effects = unknown_effects::unknown_effects(ctx, fortran);
        if !effects.is_empty() {
            let list = std::iter::once(translated).chain(effects).collect();
            translated = build::block(fortran.at, list);
        }
    }
    match fortran
        .label
        .filter(|label| ctx.control.branch_targets.contains(label))
    {
        Some(label) => build::statement(
            translated.at,
            StatementKind::Label(jumps::label_name(label), Box::new(translated)),
        ),
        None => translated,
    }
}

/// The rejection of a statement whose expansion takes more than the budget.
fn expansion_limit(at: TextRange) -> Statement {
    let limit = format!(
        "{MAX_EXPANSION} terms, and {MAX_EXPANSION_DEPTH} levels, of expanded statement functions and constants"
    );
    build::statement(at, StatementKind::Error(RejectReason::Budget { limit }))
}

/// Translates a statement, by its kind; all statements are listed here.
fn statement(ctx: &mut Translator, fortran: &FortranStatement) -> Statement {
    let at = fortran.at;
    match &fortran.kind {
        Fortran::Assign(left, right) => {
            let translated = temporaries::with_preceding_statements(ctx, at, |ctx, list| {
                let right = hoisting::hoist(ctx, right, list)?;
                Some(assignments::assignment(ctx, left, &right, at))
            });
            translated.unwrap_or_else(|| {
                rejections::unsupported_loop("an assignment of this array expression", at)
            })
        }
        Fortran::PointTo(left, right) => pointer_assignment::assign_pointer(ctx, left, right, at),
        Fortran::Call(callee, arguments) => {
            let translated = temporaries::with_preceding_statements(ctx, at, |ctx, list| {
                let own = hoisting::hoist_arguments(ctx, arguments, list)?;
                Some(call_statements::call_statement(ctx, callee, &own, at))
            });
            translated.unwrap_or_else(|| {
                rejections::unsupported_loop("an array expression as an argument", at)
            })
        }
        Fortran::If(arms) => branches::if_construct(ctx, arms, at),
        Fortran::Do(inner) => do_loops::do_construct(ctx, inner, at),
        Fortran::Select(value, cases) => branches::select_case(ctx, value, cases, at),
        Fortran::SelectType(arms) => branches::select_type(ctx, arms, at),
        Fortran::Where(arms) => where_construct::where_construct(ctx, arms, at),
        Fortran::Forall(inner) => do_loops::forall_construct(ctx, inner, at),
        Fortran::Cycle(target) => constructs::cycle(ctx, target.as_ref(), at),
        Fortran::Exit(target) => constructs::exit(ctx, target.as_ref(), at),
        Fortran::Goto(label) => jumps::goto(ctx, *label, at),
        Fortran::ComputedGoto(labels, value) => jumps::computed_goto(ctx, labels, value, at),
        Fortran::ArithmeticIf(value, labels) => jumps::arithmetic_if(ctx, value, *labels, at),
        Fortran::AssignedGoto => build::statement(
            at,
            StatementKind::Error(rejections::untranslated_jump("GO TO")),
        ),
        Fortran::Return => jumps::return_statement(ctx, at),
        Fortran::AlternateReturn => rejections::unsupported("an alternate RETURN", at),
        Fortran::Entry => rejections::unsupported("an ENTRY", at),
        Fortran::Stop => build::statement(at, StatementKind::Stop(ProgramEnd::Check)),
        Fortran::Continue => build::empty(at),
        Fortran::Allocate(objects, options) => allocation::allocate(ctx, objects, options, at),
        Fortran::Deallocate(_, options) => allocation::deallocate(ctx, options, at),
        Fortran::Transfer(items) => data_transfer::transfer(ctx, items, at),
        Fortran::Block(block) => associate::block_construct(ctx, block, at),
        Fortran::Associate(name, list, body) => {
            associate::associate_construct(ctx, name.as_ref(), list, body, at)
        }
        Fortran::Error(unparsed) => {
            build::statement(at, StatementKind::Error(unparsed.reason.clone()))
        }
    }
}

/// Whether a statement is an `IF` whose only condition is that the allocation just before it failed.
fn tests_allocation_failure(
    ctx: &Translator,
    before: &FortranStatement,
    one: &FortranStatement,
) -> bool {
    let (Fortran::Allocate(_, options), Fortran::If(arms)) = (&before.kind, &one.kind) else {
        return false;
    };
    let is_reached = one
        .label
        .is_some_and(|label| ctx.control.branch_targets.contains(&label));
    let [(Some(condition), _)] = &arms[..] else {
        return false;
    };
    let condition = condition.without_parentheses();
    let ExprKind::Binary(Op::NotEqual | Op::Greater, status, zero) = &condition.kind else {
        return false;
    };
    let is_status =
        |report: &Expr| report.as_name().is_some() && report.as_name() == status.as_name();
    let is_zero = matches!(zero.kind, ExprKind::Integer(0, _));
    !is_reached && is_zero && options.reports.iter().any(is_status)
}
