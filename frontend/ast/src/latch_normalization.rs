//! Moves the steps of loops to the end of their bodies (the latch), where counted loops have them.
//!
//! ```text
//! while (k < n) {                 while (k < n) {
//!     k = k + 1;                      a[k + 1] = 0;
//!     a[k] = 0;                       k = k + 1;
//! }                               }
//! ```
//!
//! The variable must be an integer of at least 32 bits that is declared in the function's body and whose address is
//! not taken, as a call might see it otherwise. Nothing behind the step may change it or jump; an iteration that ends
//! before the step does so in either place.

use crate::SyntaxFacts;
use crate::induction_step::constant_step;
use crate::syntax::{
    Declaration, Expression, ExpressionKind as Kind, For, Lifetime, Name, Statement, StatementKind,
    TypeName,
};
use crate::visit::{children, children_mut, contains, mentions};
use std::collections::BTreeSet;

/// Moves the steps of all loops in a function's body to their latches, where possible.
pub(crate) fn with_steps_in_latches(mut body: Statement) -> Statement {
    let is_candidate = |kind: &StatementKind| match kind {
        StatementKind::While { body, condition } | StatementKind::DoWhile { body, condition } => {
            early_step(condition, body).is_some()
        }
        _ => false,
    };
    if contains(&body, &is_candidate) {
        let own = own_variables(&body);
        in_statement(&mut body, &own);
    }
    body
}

/// Names of automatic integers that are declared once in a function and whose address is not taken.
fn own_variables(body: &Statement) -> BTreeSet<Name> {
    let mut declared = BTreeSet::new();
    let mut others = SyntaxFacts::of_statement(body).addressed;
    let mut open = vec![body];
    while let Some(statement) = open.pop() {
        open.extend(children(statement));
        let StatementKind::Declarations(list) = &statement.kind else {
            continue;
        };
        for declaration in list {
            let (name, is_fine) = match declaration {
                Declaration::Object(object) => {
                    let is_automatic = object.lifetime == Lifetime::Automatic;
                    // A narrower variable may wrap around where a sum of its promoted value does not.
                    let is_wide = matches!(&*object.kind, TypeName::Integer(x) if 32 <= x.bits);
                    (&object.name, is_automatic && is_wide)
                }
                Declaration::Enumerator { name, .. } => (name, false),
            };
            if !is_fine || !declared.insert(name.clone()) {
                others.insert(name.clone());
            }
        }
    }
    declared.difference(&others).cloned().collect()
}

fn in_statement(statement: &mut Statement, own: &BTreeSet<Name>) {
    if let StatementKind::While { body, condition } | StatementKind::DoWhile { body, condition } =
        &mut statement.kind
        && let Some((idx, name, by)) = early_step(condition, body)
        && own.contains(&name)
        && let StatementKind::Block(list) = &mut body.kind
    {
        let mut behind = list[idx + 1..].to_vec();
        if behind
            .iter_mut()
            .all(|one| rewrite_before_step(one, &name, by))
        {
            let step = list[idx].clone();
            list.splice(idx.., behind.into_iter().chain([step]));
        }
    }
    for child in children_mut(statement) {
        in_statement(child, own);
    }
}

/// The index of a step in a loop's body that has statements behind it, with its variable, which the condition must
/// mention, and the amount added.
fn early_step(condition: &Expression, body: &Statement) -> Option<(usize, Name, i64)> {
    let StatementKind::Block(list) = &body.kind else {
        return None;
    };
    let (idx, name, by) = list.iter().enumerate().find_map(|(idx, statement)| {
        let StatementKind::Expression(step) = &statement.kind else {
            return None;
        };
        let (name, by) = constant_step(step)?;
        mentions(condition, name).then(|| (idx, name.clone(), by))
    })?;
    let jumps = |kind: &StatementKind| {
        matches!(
            kind,
            StatementKind::Return(_)
                | StatementKind::Break
                | StatementKind::Continue
                | StatementKind::Error(_)
        )
    };
    let goes_on = |statement: &Statement| {
        !contains(statement, &jumps)
            && !SyntaxFacts::of_statement(statement).changed.contains(&name)
    };
    let leads_anywhere =
        |statement: &Statement| contains(statement, &|kind| matches!(kind, StatementKind::Goto(_)));
    let behind = &list[idx + 1..];
    let is_early = !behind.is_empty() && behind.iter().all(goes_on);
    (is_early && !list.iter().any(leads_anywhere)).then_some((idx, name, by))
}

/// Rewrites a statement behind a step so that it can stand before it; false if that is not possible.
fn rewrite_before_step(statement: &mut Statement, name: &Name, by: i64) -> bool {
    if let StatementKind::Declarations(_) = &statement.kind {
        return !SyntaxFacts::of_statement(statement)
            .mentioned
            .contains(name);
    }
    let own: Vec<&mut Expression> = match &mut statement.kind {
        StatementKind::Expression(x)
        | StatementKind::If { condition: x, .. }
        | StatementKind::While { condition: x, .. }
        | StatementKind::DoWhile { condition: x, .. }
        | StatementKind::Switch { value: x, .. } => vec![x],
        StatementKind::For(head) => {
            let For {
                condition, step, ..
            } = &mut **head;
            condition.iter_mut().chain(step).collect()
        }
        _ => Vec::new(),
    };
    own.into_iter().all(|x| replace_by_stepped(x, name, by))
        && children_mut(statement)
            .into_iter()
            .all(|child| rewrite_before_step(child, name, by))
}

/// Replaces a variable by its value after the step; false if the expression has parts that are not analysed.
fn replace_by_stepped(expression: &mut Expression, name: &Name, by: i64) -> bool {
    let all = |list: &mut [Expression]| list.iter_mut().all(|x| replace_by_stepped(x, name, by));
    match &mut expression.kind {
        Kind::Name(found) if found == name => {
            expression.kind = Kind::Stepped(name.clone(), by);
            true
        }
        // From a step that was moved earlier.
        Kind::Stepped(found, plus) => {
            if found == name {
                *plus += by;
            }
            true
        }
        Kind::Name(_)
        | Kind::Integer(..)
        | Kind::Floating(..)
        | Kind::Text(_)
        | Kind::SizeofType(_)
        | Kind::AlignofType(_)
        | Kind::OffsetOf(..)
        | Kind::Unsupported(_)
        | Kind::Rejected(_) => true,
        Kind::Unary(_, x)
        | Kind::Increment { operand: x, .. }
        | Kind::AddressOf(x)
        | Kind::Dereference(x)
        | Kind::Member { base: x, .. } => replace_by_stepped(x, name, by),
        Kind::Cast(kind, x) => is_plain(kind) && replace_by_stepped(x, name, by),
        Kind::Binary(_, a, b)
        | Kind::And(a, b)
        | Kind::Or(a, b)
        | Kind::Assign(_, a, b)
        | Kind::Index(a, b)
        | Kind::Comma(a, b) => replace_by_stepped(a, name, by) && replace_by_stepped(b, name, by),
        Kind::Conditional(operands) => all(&mut **operands),
        Kind::Call(callee, list) => all(list) && replace_by_stepped(callee, name, by),
        Kind::Computed(kind, _, list) => is_plain(kind) && all(list),
        Kind::SizeofExpression(_)
        | Kind::AlignofExpression(_)
        | Kind::CompoundLiteral(..)
        | Kind::StatementExpression(_)
        | Kind::Generic(..) => false,
    }
}

/// Whether a type contains no expressions.
fn is_plain(kind: &TypeName) -> bool {
    match kind {
        TypeName::Void
        | TypeName::Integer(_)
        | TypeName::Bool
        | TypeName::Floating(_)
        | TypeName::Complex(_)
        | TypeName::Struct(_) => true,
        TypeName::Pointer(inner) | TypeName::Reference(inner) => is_plain(inner),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_syntax::{
        address, block, declared, index, int, less, local, set, statement, step, text, var, when,
        while_loop,
    };

    fn store() -> Statement {
        set(index("a", var("k")), int(0))
    }

    /// A function's body: a declaration, and a loop over `k < n`.
    fn with_body(declaration: Statement, list: Vec<Statement>) -> Statement {
        let condition = less(var("k"), var("n"));
        block(vec![declaration, while_loop(condition, list)])
    }

    fn normalized(body: &Statement) -> String {
        text(&with_steps_in_latches(body.clone()))
    }

    #[test]
    fn what_stands_behind_a_step_reads_the_value_after_it_from_before_it() {
        let body = with_body(local("k"), vec![step("k", 1), store()]);
        let expected = "{ int k; while (k < n) { a[(k + 1)] = 0; k = k + 1; } }";
        assert_eq!(normalized(&body), expected);
    }

    #[test]
    fn what_stands_before_the_step_keeps_its_place_and_may_leave_the_loop() {
        let leave = when(less(var("k"), int(3)), statement(StatementKind::Break));
        let body = with_body(local("k"), vec![leave, step("k", -2), store()]);
        let expected = "{ int k; while (k < n) { if (k < 3) break; a[(k + -2)] = 0; \
                        k = k + -2; } }";
        assert_eq!(normalized(&body), expected);
    }

    #[test]
    fn a_step_at_the_end_is_there_already() {
        let body = with_body(local("k"), vec![store(), step("k", 1)]);
        assert_eq!(normalized(&body), text(&body));
    }

    #[test]
    fn only_own_integers_that_do_not_wrap_and_have_no_address_are_moved() {
        let with = |declaration: Statement| with_body(declaration, vec![step("k", 1), store()]);
        let narrow = with(declared("k", 16, Lifetime::Automatic));
        let fixed = with(declared("k", 32, Lifetime::Static));
        let of_file = with(local("other"));
        let shadowed = block(vec![block(vec![local("k")]), with(local("k"))]);
        let addressed = block(vec![set(var("p"), address("k")), with(local("k"))]);
        for body in [narrow, fixed, of_file, shadowed, addressed] {
            assert_eq!(normalized(&body), text(&body));
        }
    }

    #[test]
    fn a_step_stays_before_what_changes_its_variable_or_jumps() {
        for behind in [
            set(var("k"), int(0)),
            step("k", 1),
            when(var("c"), statement(StatementKind::Break)),
            when(var("c"), statement(StatementKind::Continue)),
        ] {
            let body = with_body(local("k"), vec![step("k", 1), store(), behind]);
            assert_eq!(normalized(&body), text(&body));
        }
    }
}
