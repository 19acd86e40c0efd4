//! Probabilities of conditions, as averages of the arms of a branch.

use super::{AssumptionDirective, DirectiveOutcome, Directives, NodeLists};
use crate::node_lists::{BranchDecision, ListItem};
use premiss_source::Span;
use premiss_tree::{Average, ListId, NestTree};

/// A branch in a list.
struct ConditionalBranch {
    parent: ListId,
    arms: [ListId; 2],
    /// The last access or operation of its condition.
    condition: Span,
}

impl Directives<'_> {
    /// Sets the averages of the arms of the branch on a line.
    pub(super) fn assume_probability(
        &self,
        tree: &mut NestTree,
        rows: &NodeLists,
        directive: &AssumptionDirective,
        probability: f64,
    ) -> DirectiveOutcome {
        let mut branches = Vec::new();
        for (id, row) in rows {
            branches.extend(self.branch(rows, directive, (id, &row.items)));
        }
        if branches.is_empty() {
            return DirectiveOutcome::Unused;
        }
        if self.n_conditions(directive) != 1 {
            let why = format!("line {} has not one `if` alone", directive.line);
            return DirectiveOutcome::Useless(why, "write each condition on a line of its own");
        }
        for branch in branches {
            let is_then = self.is_then(rows, &branch);
            for (arm, holds) in branch.arms.into_iter().zip([is_then, !is_then]) {
                let times = if holds {
                    probability
                } else {
                    1.0 - probability
                };
                let of = branch.parent;
                tree.work
                    .averages
                    .lists
                    .insert(arm, Average { per: of, times });
            }
        }
        DirectiveOutcome::Used
    }

    /// The branch in a list whose condition begins on the line. Branches before it may decide whether the second
    /// operand of `&&` or `||` is evaluated.
    fn branch(
        &self,
        rows: &NodeLists,
        directive: &AssumptionDirective,
        (around, items): (ListId, &[ListItem]),
    ) -> Option<ConditionalBranch> {
        let mut found: Option<ConditionalBranch> = None;
        let mut condition: Option<Span> = None;
        for item in items {
            match item {
                ListItem::Evaluation(span) => {
                    if found.is_some() {
                        break;
                    }
                    condition = self.is_there(directive, *span).then_some(*span);
                }
                ListItem::Branch { arms, decision } => {
                    if let Some(before) = condition
                        && *decision != BranchDecision::Sizes
                    {
                        let arms = *arms;
                        found = Some(ConditionalBranch {
                            parent: around,
                            arms,
                            condition: before,
                        });
                        // The text after `&&` continues the condition.
                        condition = self.last_part(rows, before, arms);
                    }
                }
                ListItem::Loop { .. } => condition = None,
            }
        }
        found
    }

    /// The end of the part of a condition that is in an arm.
    fn last_part(&self, rows: &NodeLists, before: Span, arms: [ListId; 2]) -> Option<Span> {
        let first = arms.iter().find_map(|arm| rows[*arm].first)?;
        let text = self.code(first.file, before.start, first.end);
        let joins = ["&&", "||", ".and.", ".or."];
        let is_part = before.file == first.file
            && joins.iter().any(|x| text.contains(x))
            && !text.contains(';');
        let of_arm = |arm: &ListId| rows[*arm].items.iter().rev().find_map(last);
        let last = arms.iter().find_map(of_arm);
        last.filter(|_| is_part)
    }

    /// The number of conditions on the line.
    fn n_conditions(&self, directive: &AssumptionDirective) -> usize {
        let text = self.texts.get(&directive.span.file);
        let code = text.map_or(&[][..], |x| &x.comments.code);
        let line = code.split(|x| *x == b'\n').nth(directive.line as usize - 1);
        let line = String::from_utf8_lossy(line.unwrap_or_default()).to_ascii_lowercase();
        let words = line.split(|x: char| !x.is_ascii_alphanumeric() && x != '_');
        let n_ifs = words.filter(|x| matches!(*x, "if" | "elseif")).count();
        n_ifs + line.matches('?').count()
    }

    /// Whether the first arm is executed if the condition as written holds: not if it is written after `else`, or if a
    /// jump after the condition skips it.
    fn is_then(&self, rows: &NodeLists, branch: &ConditionalBranch) -> bool {
        let runs_on = |arm: ListId| {
            let first = rows[arm].first?;
            let from = branch.condition;
            if first.file != from.file || first.start < from.end {
                return None;
            }
            let text = self.code(from.file, from.end, first.start);
            let mut words = text.split(|x: char| !x.is_ascii_alphanumeric() && x != '_');
            Some(!words.any(|x| JUMPS.contains(&x)))
        };
        let [first, second] = branch.arms;
        runs_on(first).unwrap_or_else(|| !runs_on(second).unwrap_or(false))
    }
}

/// Statements that jump away after a condition.
const JUMPS: [&str; 9] = [
    "else", "elseif", "continue", "break", "return", "goto", "cycle", "exit", "stop",
];

fn last(item: &ListItem) -> Option<Span> {
    match item {
        ListItem::Evaluation(span) => Some(*span),
        _ => None,
    }
}
