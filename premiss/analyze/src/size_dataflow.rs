//! Which variables are known as functions of the sizes at each place of a tree.
//!
//! A forward data-flow analysis: a variable is *unknown* at a place where some path to it assigns a value that depends
//! on data. Variables start unknown. Loops are analysed until the state at the entry of each is a fixpoint; the set of
//! unknown variables at an entry only grows, so this terminates.

use premiss_tree::{
    EntityRef, Expression, Loop, LoopId, NestTree, Node, ReferenceId, RejectionId, VariableId,
};
use std::collections::BTreeMap;

/// Receives the nodes of the walk, in order. Guards and loops nest.
pub(crate) trait Visitor<'tree> {
    /// A loop begins. Accesses in a bounded loop are possible: see [`Visitor::enter_guard`].
    fn enter_loop(&mut self, node: &'tree Loop, iterations: Iterations);
    /// The loop that began last ends.
    fn leave_loop(&mut self);
    /// The arms of a branch on data begin.
    fn enter_guard(&mut self);
    /// The arms end.
    fn leave_guard(&mut self);
    /// An access; `known` tells whether its offset is a function of the sizes.
    fn access(&mut self, reference: ReferenceId, known: bool);
    /// A node that was not understood.
    fn opaque(&mut self, rejection: RejectionId);
}

/// How much is known of the iterations of a loop where it is entered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Iterations {
    /// They are known.
    Known,
    /// A superset is known: see [`premiss_tree::BoundingRange`].
    Bounded,
    Unknown,
}

/// After this many passes, all variables are taken as unknown; real programs take two or three.
const MAX_PASSES: usize = 64;

/// What is known at the start of a walk.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryState {
    /// Nothing: a function is entered.
    Nothing,
    /// The value of every variable, by its name: each outermost loop is analysed by itself, as it is entered.
    Everything,
}

/// Walks over nodes of a tree and calls a visitor.
pub(crate) fn visit<'tree>(
    tree: &'tree NestTree,
    nodes: &'tree [Node],
    entry: EntryState,
    visitor: &mut dyn Visitor<'tree>,
) {
    let mut flow = SizeDataflow {
        tree,
        entries: BTreeMap::new(),
        changed: true,
        depth: 0,
        entry,
    };
    let start = UnknownVariables::all(tree);
    for pass in 0..=MAX_PASSES {
        flow.changed = false;
        flow.nodes(nodes, &mut start.clone(), &mut NoVisitor);
        if !flow.changed {
            break;
        }
        if pass == MAX_PASSES {
            let all = UnknownVariables::all(tree);
            flow.entries = tree.loops.keys().map(|id| (id, all.clone())).collect();
        }
    }
    flow.nodes(nodes, &mut start.clone(), visitor);
}

/// For each variable, whether it is unknown: a bit. Trees have tens of thousands of variables and loops.
#[derive(Clone, PartialEq, Eq)]
struct UnknownVariables(Vec<u64>);

impl UnknownVariables {
    /// All variables of a tree.
    fn all(tree: &NestTree) -> Self {
        Self(vec![u64::MAX; tree.variables.len().div_ceil(64)])
    }

    fn set(&mut self, variable: VariableId, unknown: bool) {
        let (word, bit) = place(variable);
        if let Some(slot) = self.0.get_mut(word) {
            *slot = *slot & !bit | if unknown { bit } else { 0 };
        }
    }

    fn get(&self, variable: VariableId) -> bool {
        let (word, bit) = place(variable);
        self.0.get(word).is_none_or(|slot| slot & bit != 0)
    }

    fn join(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine |= theirs;
        }
    }

    fn knows(&self, expression: &Expression) -> bool {
        !expression.any(|part| match part {
            Expression::Data => true,
            Expression::Variable(variable) => self.get(*variable),
            _ => false,
        })
    }
}

/// The word and the bit of a variable.
fn place(variable: VariableId) -> (usize, u64) {
    let index = variable.index();
    (index / 64, 1 << (index % 64))
}

struct SizeDataflow<'tree> {
    tree: &'tree NestTree,
    /// The unknown variables on entry to the body of each loop, over all passes so far.
    entries: BTreeMap<LoopId, UnknownVariables>,
    changed: bool,
    /// The number of loops around the current node.
    depth: usize,
    entry: EntryState,
}

impl<'tree> SizeDataflow<'tree> {
    fn nodes(
        &mut self,
        nodes: &'tree [Node],
        state: &mut UnknownVariables,
        visitor: &mut dyn Visitor<'tree>,
    ) {
        for node in nodes {
            match node {
                Node::Loop(node) => self.counted_loop(node, state, visitor),
                Node::Access(id) => {
                    let known = state.knows(&self.tree.references[*id].offset);
                    visitor.access(*id, known);
                }
                Node::Branch {
                    condition,
                    then,
                    otherwise,
                } => {
                    let known = state.knows(condition);
                    self.branch(known, [then, otherwise], state, visitor);
                }
                Node::Assign { variable, value } => {
                    let known = state.knows(value);
                    state.set(*variable, !known);
                }
                Node::Opaque(id) => visitor.opaque(*id),
                Node::Operations(_) => {}
            }
        }
    }

    fn counted_loop(
        &mut self,
        node: &'tree Loop,
        state: &mut UnknownVariables,
        visitor: &mut dyn Visitor<'tree>,
    ) {
        if self.depth == 0 && self.entry == EntryState::Everything {
            state.0.fill(0);
        }
        let known = [&node.first, &node.bound, &node.step];
        let known = known.into_iter().all(|x| state.knows(x));
        let within = self.tree.bounding_ranges.get(&node.id);
        let is_within = within.is_some_and(|x| state.knows(&x.first) && state.knows(&x.bound));
        let iterations = match (known, is_within) {
            (true, _) => Iterations::Known,
            (false, true) => Iterations::Bounded,
            (false, false) => Iterations::Unknown,
        };
        state.set(node.variable, iterations == Iterations::Unknown);
        visitor.enter_loop(node, iterations);
        if iterations == Iterations::Bounded {
            visitor.enter_guard();
        }
        if let Some(entry) = self.entries.get(&node.id) {
            state.join(entry);
        }
        let entry = state.clone();
        self.depth += 1;
        self.nodes(&node.body, state, visitor);
        self.depth -= 1;
        if iterations == Iterations::Bounded {
            visitor.leave_guard();
        }
        visitor.leave_loop();
        state.join(&entry);
        state.set(node.variable, !known);
        if !known {
            // The number of iterations is unknown here, so assigned variables are unknown afterwards.
            forget_assigned(&node.body, state);
        }
        if *state != entry {
            self.entries.insert(node.id, state.clone());
            self.changed = true;
        }
    }

    fn branch(
        &mut self,
        known: bool,
        arms: [&'tree [Node]; 2],
        state: &mut UnknownVariables,
        visitor: &mut dyn Visitor<'tree>,
    ) {
        if !known {
            visitor.enter_guard();
        }
        let before = state.clone();
        let mut ends = arms.map(|arm| {
            let mut state = before.clone();
            self.nodes(arm, &mut state, visitor);
            state
        });
        if !known {
            visitor.leave_guard();
            for arm in arms {
                forget_assigned(arm, &mut ends[0]);
            }
        }
        let [mut then, otherwise] = ends;
        then.join(&otherwise);
        *state = then;
    }
}

/// Marks the variables that the nodes assign as unknown: after a branch on data they have either value.
fn forget_assigned(nodes: &[Node], state: &mut UnknownVariables) {
    for node in nodes {
        match node {
            Node::Assign { variable, .. } => state.set(*variable, true),
            Node::Loop(node) => {
                state.set(node.variable, true);
                forget_assigned(&node.body, state);
            }
            Node::Branch {
                then, otherwise, ..
            } => {
                forget_assigned(then, state);
                forget_assigned(otherwise, state);
            }
            Node::Access(_) | Node::Opaque(_) | Node::Operations(_) => {}
        }
    }
}

/// Ignores everything: for the passes that only compute the fixpoint.
struct NoVisitor;

impl Visitor<'_> for NoVisitor {
    fn enter_loop(&mut self, _: &Loop, _: Iterations) {}
    fn leave_loop(&mut self) {}
    fn enter_guard(&mut self) {}
    fn leave_guard(&mut self) {}
    fn access(&mut self, _: ReferenceId, _: bool) {}
    fn opaque(&mut self, _: RejectionId) {}
}
