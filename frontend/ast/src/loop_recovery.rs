//! Recovers loops from backward jumps.
//!
//! ```text
//! 10 if (n < k) goto 20;            while (!(n < k)) {
//!    v[k] = 0;                          v[k] = 0;
//!    k = k + 1;                         k = k + 1;
//!    goto 10;                       }
//! 20 …                              20 …
//! ```
//!
//! The body is the text from the label to the last jump to it. Other jumps to the label become jumps to the end of the
//! body. Where the last statement of the body is not such a jump, whether it is repeated counts as data. A body that a
//! jump enters from outside, or with a `break` of an enclosing loop, is left as it is.

mod rebuild;

use crate::embedded_steps::with_steps_apart;
use crate::exits_as_conditions::with_conditions;
use crate::iterator_ends::with_iterator_ends;
use crate::latch_normalization::with_steps_in_latches;
use crate::returns_behind_loops::with_returns_behind_loops;
use crate::syntax::{Name, Statement, StatementKind};
use crate::visit::{breaks, children, children_mut, contains, continues, leading_labels};
use rebuild::BackwardJump;
use std::collections::BTreeMap;

/// Rewrites backward jumps in a function's body as loops, moves a `return` under a condition on an iterator behind its
/// loop, makes the conditions of loops of their first or last `break`, and moves the steps of loops out of expressions and to the end of their bodies, where that does not change what is
/// computed.
pub fn structured_loops(body: Statement) -> Statement {
    let body = with_iterator_ends(loops_of_jumps(body));
    let body = with_conditions(with_returns_behind_loops(body));
    with_steps_in_latches(with_steps_apart(body))
}

fn loops_of_jumps(mut body: Statement) -> Statement {
    let mut n_jumps = BTreeMap::new();
    count_jumps(&body, &mut n_jumps);
    if !n_jumps.is_empty() {
        in_statement(&mut body, &n_jumps);
    }
    body
}

/// The number of jumps to each label.
type Jumps = BTreeMap<Name, usize>;

fn count_jumps(statement: &Statement, jumps: &mut Jumps) {
    if let StatementKind::Goto(Some(label)) = &statement.kind {
        *jumps.entry(label.clone()).or_default() += 1;
    }
    for child in children(statement) {
        count_jumps(child, jumps);
    }
}

fn in_statement(statement: &mut Statement, jumps: &Jumps) {
    match &mut statement.kind {
        StatementKind::Block(list) => *list = in_list(std::mem::take(list), jumps),
        _ => children_mut(statement)
            .into_iter()
            .for_each(|child| in_statement(child, jumps)),
    }
}

fn in_list(list: Vec<Statement>, jumps: &Jumps) -> Vec<Statement> {
    let last_jumps = last_jumps(&list);
    let mut ends = BTreeMap::new();
    let mut idx = 0;
    while idx < list.len() {
        let found = loop_at(&list, idx, &last_jumps);
        let found = found.filter(|(_, last)| is_closed(&list[idx..=*last], jumps));
        let Some((label, last)) = found else {
            idx += 1;
            continue;
        };
        let follows = list.get(last + 1).map(leading_labels).unwrap_or_default();
        ends.insert(idx, (label, last, follows));
        idx = last + 1;
    }
    let mut done = Vec::new();
    let mut rest = list.into_iter().enumerate();
    while let Some((idx, mut first)) = rest.next() {
        let Some((label, last, follows)) = ends.remove(&idx) else {
            in_statement(&mut first, jumps);
            done.push(first);
            continue;
        };
        let others = rest.by_ref().take(last - idx).map(|(_, x)| x);
        let range = std::iter::once(first).chain(others).collect();
        let backward_jump = BackwardJump {
            label,
            range,
            follows,
        };
        done.extend(backward_jump.into_loop(jumps));
    }
    done
}

/// For each label, the index of the last statement in a list that jumps to it.
fn last_jumps(list: &[Statement]) -> BTreeMap<Name, usize> {
    let mut last = BTreeMap::new();
    for (idx, statement) in list.iter().enumerate() {
        let mut found = Jumps::new();
        count_jumps(statement, &mut found);
        last.extend(found.into_keys().map(|label| (label, idx)));
    }
    last
}

/// A label of a statement that this or a later statement jumps back to, with the index of the last such statement. Of
/// overlapping loops, the outer one extends to the end of both.
fn loop_at(
    list: &[Statement],
    first: usize,
    last_jumps: &BTreeMap<Name, usize>,
) -> Option<(Name, usize)> {
    let jump_back = |at: usize, label: &Name| last_jumps.get(label).copied().filter(|x| at <= *x);
    let (label, mut last) = leading_labels(&list[first])
        .into_iter()
        .filter_map(|label| Some((label.clone(), jump_back(first, &label)?)))
        .max_by_key(|(_, last)| *last)?;
    let mut idx = first + 1;
    while idx <= last {
        for inner in leading_labels(&list[idx]) {
            last = last.max(jump_back(idx, &inner).unwrap_or(0));
        }
        idx += 1;
    }
    Some((label, last))
}

fn jumps_to(statement: &Statement, label: &Name) -> bool {
    contains(
        statement,
        &|kind| matches!(kind, StatementKind::Goto(Some(to)) if to == label),
    )
}

/// Whether statements can be the body of a loop: they have no declarations, nothing in them leaves an enclosing loop
/// or `switch`, and jumps from outside lead to their start alone.
fn is_closed(range: &[Statement], jumps: &Jumps) -> bool {
    let is_own = |statement: &Statement| {
        !breaks(statement)
            && !continues(statement)
            && !has_case(statement)
            && !matches!(statement.kind, StatementKind::Declarations(_))
    };
    let mut within = Jumps::new();
    let mut targets = Vec::new();
    for (idx, statement) in range.iter().enumerate() {
        count_jumps(statement, &mut within);
        let mut found = Vec::new();
        collect_labels(statement, &mut found);
        let first = if idx == 0 {
            leading_labels(statement)
        } else {
            Vec::new()
        };
        targets.extend(found.into_iter().filter(|label| !first.contains(label)));
    }
    range.iter().all(is_own)
        && targets
            .iter()
            .all(|label| within.get(label) == jumps.get(label))
}

/// Whether a statement contains a `case` of an enclosing `switch`.
fn has_case(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Case(..) => true,
        StatementKind::Switch { .. } => false,
        _ => children(statement).into_iter().any(has_case),
    }
}

fn collect_labels(statement: &Statement, found: &mut Vec<Name>) {
    if let StatementKind::Label(name, _) = &statement.kind {
        found.push(name.clone());
    }
    for child in children(statement) {
        collect_labels(child, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_syntax::{
        block, empty, index, int, jump, label, less, set, statement, step, text, var, when,
        while_loop,
    };

    fn recovered(list: Vec<Statement>) -> String {
        text(&structured_loops(block(list)))
    }

    fn store() -> Statement {
        set(index("v", var("k")), int(0))
    }

    #[test]
    fn a_jump_back_with_an_exit_at_the_label_is_a_while_loop() {
        let list = vec![
            label("L", when(less(var("n"), var("k")), jump("M"))),
            store(),
            step("k", 1),
            jump("L"),
            label("M", empty()),
        ];
        let expected = "{ L: while (!(n < k)) { v[k] = 0; k = k + 1; } M: ; }";
        assert_eq!(recovered(list), expected);
    }

    #[test]
    fn a_condition_at_the_jump_is_that_of_a_do_loop() {
        let back = when(less(var("k"), var("n")), jump("L"));
        let list = vec![label("L", store()), step("k", 1), back];
        let expected = "{ L: do { v[k] = 0; k = k + 1; } while (k < n); }";
        assert_eq!(recovered(list), expected);
    }

    #[test]
    fn an_exit_that_leads_further_jumps_behind_the_loop() {
        let list = vec![
            label("L", when(less(var("n"), var("k")), jump("M"))),
            step("k", 1),
            jump("L"),
            store(),
            label("M", empty()),
        ];
        let expected = "{ L: while (!(n < k)) { k = k + 1; } goto M; v[k] = 0; M: ; }";
        assert_eq!(recovered(list), expected);
    }

    #[test]
    fn where_the_body_ends_in_no_jump_data_decide_whether_it_is_repeated() {
        let inner = when(less(var("i"), var("k")), jump("L"));
        let last = when(less(var("k"), var("n")), block(vec![inner]));
        let list = vec![label("L", store()), last];
        let expected = "{ L: do { v[k] = 0; if (k < n) { if (i < k) goto L again; } \
                        L again: ; } while (data); }";
        assert_eq!(recovered(list), expected);
    }

    #[test]
    fn a_body_that_a_jump_enters_from_outside_stays_as_it_is() {
        let list = vec![
            jump("M"),
            label("L", store()),
            label("M", step("k", 1)),
            jump("L"),
        ];
        let expected = "{ goto M; L: v[k] = 0; M: k = k + 1; goto L; }";
        assert_eq!(recovered(list), expected);
    }

    #[test]
    fn a_body_with_a_break_of_the_loop_around_stays_as_it_is() {
        let leave = when(less(var("n"), var("k")), statement(StatementKind::Break));
        let body = vec![label("L", step("k", 1)), leave, jump("L")];
        let expected = "{ while (1) { L: k = k + 1; if (n < k) break; goto L; } }";
        assert_eq!(recovered(vec![while_loop(int(1), body)]), expected);
    }

    #[test]
    fn jumps_ahead_are_no_loops() {
        let list = vec![jump("M"), store(), label("M", empty())];
        assert_eq!(recovered(list), "{ goto M; v[k] = 0; M: ; }");
    }
}
