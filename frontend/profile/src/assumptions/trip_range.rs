//! Assumed least and greatest trip counts of loops that data end, as a part of the tree.
//!
//! With `premiss:assume trips 40..60`, in `t` from 0 on:
//!
//! ```text
//! loop t = 0; t < data                    loop t = 0; t < 60
//!   opaque                                  if t < 40 || data
//!   load x                                    load x
//!
//! loop i = 0; i < n                       loop i = 0; i < n
//!   if i == 0 || data                       if i < 40 || i < 60 && data
//!     load x                                  load x
//! ```
//!
//! So both engines bound what the loop does from both sides.

use super::{AssumptionDirective, DirectiveOutcome, Directives};
use premiss_source::Span;
use premiss_tree::{
    Assumption, AssumptionKind, BinaryOperator, Comparison, Expression, Loop, LoopId, NestTree,
    Node, PrimaryMap, RejectReason, Rejection, RejectionId, UnaryOperator,
};
use std::collections::BTreeSet;

/// At least and at most how often a loop runs.
type TripRange = (u32, u32);

impl Directives<'_> {
    /// Gives the loops that begin on a line their trip counts.
    pub(super) fn limit_trips(
        &self,
        tree: &mut NestTree,
        directive: &AssumptionDirective,
        range: TripRange,
    ) -> DirectiveOutcome {
        let is_there = |id: &LoopId| self.is_there(directive, tree.loops[*id].span);
        let there: BTreeSet<LoopId> = tree.loops.keys().filter(is_there).collect();
        let spans: BTreeSet<Span> = there.iter().map(|id| tree.loops[*id].span).collect();
        match spans.len() {
            0 => return DirectiveOutcome::Unused,
            1 => {}
            _ => {
                let why = format!("line {} has several loops", directive.line);
                return DirectiveOutcome::Useless(why, "write each on a line of its own");
            }
        }
        let mut limits = Limits {
            tree,
            there: &there,
            range,
            exits: 0,
            understood: BTreeSet::new(),
            is_used: false,
        };
        let work = limits.nodes(&tree.work.body);
        let body = limits.nodes(&tree.body);
        let Limits {
            understood,
            is_used,
            ..
        } = limits;
        if !is_used {
            return DirectiveOutcome::Useless(
                "data do not decide how often this loop runs, or not in a way that a range says something about".to_owned(),
                "give sizes with -P, or assume something of these sizes",
            );
        }
        tree.work.body = work;
        tree.body = body;
        leave_out(tree, &understood);
        tree.assumptions.insert(Assumption {
            kind: AssumptionKind::Trips,
            subject: format!("{}..{} in `{}`", range.0, range.1, tree.function),
        });
        DirectiveOutcome::Used
    }
}

/// The loops of a tree that get trip counts.
struct Limits<'a> {
    tree: &'a NestTree,
    there: &'a BTreeSet<LoopId>,
    range: TripRange,
    /// How many exits the header of a loop has that data decide; only the arithmetic tells.
    exits: usize,
    /// Rejections that are none any more.
    understood: BTreeSet<RejectionId>,
    is_used: bool,
}

impl Limits<'_> {
    fn nodes(&mut self, nodes: &[Node]) -> Vec<Node> {
        nodes.iter().map(|node| self.node(node)).collect()
    }

    fn node(&mut self, node: &Node) -> Node {
        match node {
            Node::Loop(inner) => {
                let inner = inner.with_body(self.nodes(&inner.body));
                let limited = match self.there.contains(&inner.id) {
                    true => self
                        .uncounted(&inner)
                        .or_else(|| self.ended_by_data(&inner)),
                    false => None,
                };
                self.is_used |= limited.is_some();
                Node::Loop(limited.unwrap_or(inner))
            }
            Node::Branch {
                condition,
                then,
                otherwise,
            } => Node::Branch {
                condition: condition.clone(),
                then: self.nodes(then),
                otherwise: self.nodes(otherwise),
            },
            _ => node.clone(),
        }
    }

    /// A loop with an unknown trip count.
    fn uncounted(&mut self, inner: &Loop) -> Option<Loop> {
        let is_rejection = |node: &Node| match node {
            Node::Opaque(id) => {
                let reason = &self.tree.rejections[*id].reason;
                matches!(reason, RejectReason::UncountedLoop { .. })
            }
            _ => false,
        };
        let counts = inner.first == Expression::Integer(0)
            && inner.step == Expression::Integer(1)
            && inner.comparison == Comparison::Less
            && inner.bound == Expression::Data;
        let at = inner
            .body
            .iter()
            .position(is_rejection)
            .filter(|_| counts)?;
        let mut body = inner.body.clone();
        if let Node::Opaque(id) = body.remove(at) {
            self.understood.insert(id);
        }
        let (least, most) = self.range;
        let condition = or(before(inner, least)?, Expression::Data);
        let body = match least < most {
            true => vec![if_holds(condition, body)],
            false => body,
        };
        Some(Loop {
            bound: Expression::Integer(most.into()),
            ..inner.with_body(body)
        })
    }

    /// A loop of which data may skip iterations.
    fn ended_by_data(&mut self, inner: &Loop) -> Option<Loop> {
        let [
            Node::Branch {
                condition,
                then,
                otherwise,
            },
        ] = &inner.body[..]
        else {
            return None;
        };
        let is_gate = *condition == Expression::Data || inner.certain_first().is_some();
        if !is_gate || !otherwise.is_empty() {
            return None;
        }
        let (least, most) = self.range;
        let at_most = and(before(inner, most)?, Expression::Data);
        let is_certain = before(inner, least)?;
        self.exits = self.exits.max(self.exits_of_header(inner.id, then));
        let then = without_exits(then, &is_certain, self.exits);
        let condition = or(is_certain, at_most);
        Some(inner.with_body(vec![if_holds(condition, then)]))
    }

    /// How many branches one in the other, each after what the header evaluates, have nothing but an exit in their first arm.
    fn exits_of_header(&self, id: LoopId, nodes: &[Node]) -> usize {
        let header = self.tree.loops[id].span;
        let is_of_header = |node: &Node| {
            let span = match node {
                Node::Access(id) => self.tree.references[*id].span,
                Node::Operations(id) => self.tree.work.operations[*id].span,
                _ => return false,
            };
            header.cover(span) == header
        };
        match exit_at_end(nodes) {
            Some((before, rest)) if !before.is_empty() && before.iter().all(is_of_header) => {
                1 + self.exits_of_header(id, rest)
            }
            _ => 0,
        }
    }
}

/// The nodes with their first exits, one in the other, not taken where something holds.
fn without_exits(nodes: &[Node], is_certain: &Expression, exits: usize) -> Vec<Node> {
    match exit_at_end(nodes) {
        Some((before, rest)) if 0 < exits => {
            let goes_on = Expression::unary(UnaryOperator::Not, is_certain.clone());
            let exit = Node::Branch {
                condition: and(goes_on, Expression::Data),
                then: Vec::new(),
                otherwise: without_exits(rest, is_certain, exits - 1),
            };
            before.iter().cloned().chain([exit]).collect()
        }
        _ => nodes.to_vec(),
    }
}

/// What is before a last branch that data decide and whose first arm is empty, an exit, and what it goes on with.
fn exit_at_end(nodes: &[Node]) -> Option<(&[Node], &[Node])> {
    match nodes.split_last()? {
        (
            Node::Branch {
                condition: Expression::Data,
                then,
                otherwise,
            },
            before,
        ) if then.is_empty() => Some((before, otherwise)),
        _ => None,
    }
}

/// Whether an iteration is one of the first so many; `None` where that cannot be said.
fn before(inner: &Loop, times: u32) -> Option<Expression> {
    let step = inner.step.as_integer().filter(|step| *step != 0)?;
    let variable = Expression::Variable(inner.variable);
    let starts_at_itself = inner.first.any(|part| *part == variable);
    if starts_at_itself || inner.first.any(|part| *part == Expression::Data) {
        return None;
    }
    let distance = step.checked_mul(times.into())?;
    let end = Expression::binary(
        BinaryOperator::Add,
        inner.first.clone(),
        Expression::Integer(distance),
    );
    let (a, b) = match 0 < step {
        true => (variable, end),
        false => (end, variable),
    };
    Some(Expression::binary(BinaryOperator::Less, a, b))
}

fn or(a: Expression, b: Expression) -> Expression {
    Expression::binary(BinaryOperator::Or, a, b)
}

fn and(a: Expression, b: Expression) -> Expression {
    Expression::binary(BinaryOperator::And, a, b)
}

fn if_holds(condition: Expression, then: Vec<Node>) -> Node {
    Node::Branch {
        condition,
        then,
        otherwise: Vec::new(),
    }
}

/// Removes rejections of which the tree has no opaque node any more.
fn leave_out(tree: &mut NestTree, understood: &BTreeSet<RejectionId>) {
    if understood.is_empty() {
        return;
    }
    let mut kept: PrimaryMap<RejectionId, Rejection> = PrimaryMap::new();
    let mut ids = Vec::new();
    for (id, rejection) in &tree.rejections {
        let is_left = !understood.contains(&id);
        ids.push(is_left.then(|| kept.push(rejection.clone())));
    }
    tree.body = renamed(&tree.body, &ids);
    tree.work.body = renamed(&tree.work.body, &ids);
    tree.rejections = kept;
}

/// The nodes with the new ids of rejections.
fn renamed(nodes: &[Node], ids: &[Option<RejectionId>]) -> Vec<Node> {
    let of_one = |node: &Node| match node {
        Node::Opaque(id) => Some(Node::Opaque(ids[premiss_tree::EntityRef::index(*id)]?)),
        Node::Loop(inner) => Some(Node::Loop(inner.with_body(renamed(&inner.body, ids)))),
        Node::Branch {
            condition,
            then,
            otherwise,
        } => Some(Node::Branch {
            condition: condition.clone(),
            then: renamed(then, ids),
            otherwise: renamed(otherwise, ids),
        }),
        _ => Some(node.clone()),
    };
    nodes.iter().filter_map(of_one).collect()
}
