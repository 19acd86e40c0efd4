//! Assumed trip counts of loops, as averages of their bodies.

use super::{AssumptionDirective, DirectiveOutcome, Directives, NodeLists};
use crate::node_lists::{
    ListOrigin, behind_header_exit, has_unknown_trip_count, is_tested_first, skippable_arm,
};
use premiss_tree::{Average, Expression, ListId, LoopId, NestTree, Node, VariableId};
use std::collections::BTreeSet;

impl Directives<'_> {
    /// Sets the average of the loops that begin on a line. For a loop that jumps leave early, it is the average of the
    /// part of the body that they may skip.
    pub(super) fn assume_trips(
        &self,
        tree: &mut NestTree,
        rows: &NodeLists,
        directive: &AssumptionDirective,
        times: f64,
    ) -> DirectiveOutcome {
        let mut there: Vec<(ListId, LoopId)> = Vec::new();
        for (body, row) in rows {
            if let ListOrigin::Body(id) = row.origin
                && self.is_there(directive, tree.loops[id].span)
            {
                there.push((body, id));
            }
        }
        let Some((_, first)) = there.first() else {
            return DirectiveOutcome::Unused;
        };
        let first = tree.loops[*first].span;
        if there.iter().any(|(_, id)| tree.loops[*id].span != first) {
            let why = format!("line {} has several loops", directive.line);
            return DirectiveOutcome::Useless(why, "write each on a line of its own");
        }
        let mut outcome = DirectiveOutcome::Useless(
            "how often this loop repeats follows from sizes".to_owned(),
            "give it with -P, or assume something of these sizes",
        );
        for (body, id) in there {
            let Some(of) = rows[body].parent else {
                continue;
            };
            let average = Average { per: of, times };
            let has_unknown_trip_count =
                has_unknown_trip_count(rows, &tree.rejections, &tree.loops, body);
            let is_enclosed = tree.bounding_ranges.contains_key(&id);
            if has_unknown_trip_count || is_enclosed || is_decided_by_data(&tree.work.body, id) {
                let n_more = match is_tested_first(self.sources.text(first)) {
                    true => 1.0,
                    false => 0.0,
                };
                let tests = Average {
                    per: of,
                    times: times + n_more,
                };
                tree.work.averages.lists.insert(body, average);
                tree.work.averages.tests.insert(id, tests);
                outcome = DirectiveOutcome::Used;
            } else if let Some(arm) = skippable_arm(rows, body) {
                tree.work.averages.lists.insert(arm, average);
                let mut last = arm;
                while let Some(rest) = behind_header_exit(rows, last, first) {
                    tree.work.averages.lists.insert(rest, average);
                    last = rest;
                }
                outcome = DirectiveOutcome::Used;
            }
        }
        outcome
    }
}

/// Whether the header of a loop contains a variable with a data-dependent value, such as `k` after `k = first[i]`.
fn is_decided_by_data(nodes: &[Node], id: LoopId) -> bool {
    let unknown = unknown_variables(nodes);
    let is_unknown = |part: &Expression| match part {
        Expression::Variable(id) => unknown.contains(id),
        _ => false,
    };
    let mut found = false;
    for node in nodes {
        node.walk(&mut |node| {
            if let Node::Loop(inner) = node
                && inner.id == id
            {
                found |= node.expressions().into_iter().any(|x| x.any(is_unknown));
            }
        });
    }
    found
}

/// The variables that are not functions of sizes and iterators: those that are never assigned, and those computed from
/// data or from such variables.
fn unknown_variables(nodes: &[Node]) -> BTreeSet<VariableId> {
    let mut assigned: Vec<(VariableId, Vec<&Expression>)> = Vec::new();
    let mut unknown = BTreeSet::new();
    for node in nodes {
        node.walk(&mut |node| {
            for expression in node.expressions() {
                expression.walk(&mut |part| {
                    if let Expression::Variable(id) = part {
                        unknown.insert(*id);
                    }
                });
            }
            match node {
                Node::Assign { variable, .. } => assigned.push((*variable, node.expressions())),
                Node::Loop(inner) => assigned.push((inner.variable, node.expressions())),
                _ => {}
            }
        });
    }
    for (variable, _) in &assigned {
        unknown.remove(variable);
    }
    loop {
        let is_unknown = |part: &Expression| match part {
            Expression::Data => true,
            Expression::Variable(id) => unknown.contains(id),
            _ => false,
        };
        let is_new = |(variable, values): &&(VariableId, Vec<&Expression>)| {
            !unknown.contains(variable) && values.iter().any(|value| value.any(is_unknown))
        };
        let Some((variable, _)) = assigned.iter().find(is_new) else {
            return unknown;
        };
        unknown.insert(*variable);
    }
}
