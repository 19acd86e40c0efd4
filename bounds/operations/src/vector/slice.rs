//! The part of a tree that says what one innermost loop does to some arrays.
//!
//! What decides the subscripts in the loop is kept of a function: integers that they depend on, and the loops around
//! (a static slice, Weiser 1981).
//! Whatever is not understood there makes the integers that it assigns unknown, so that a subscript with one of them is
//! refused.

use premiss_tree::{
    Comparison, Expression, Loop, LoopId, NestTree, Node, Parameter, ParameterKind, ReferenceId,
    VariableId, Work,
};
use std::collections::{BTreeMap, BTreeSet};

/// How much of what is around a loop is kept; the less, the more iterations there seem to be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Retention {
    /// All that does not depend on data.
    All,
    /// Nothing of other loops and of conditions.
    Headers,
    /// Nothing of headers either: iterators are any numbers that are not negative.
    Iterators,
}

/// A tree without a body and its arithmetic, to put bodies in.
pub(super) fn bare(tree: &NestTree) -> NestTree {
    NestTree {
        function: String::new(),
        span: tree.span,
        parameters: tree.parameters.clone(),
        variables: tree.variables.clone(),
        arrays: tree.arrays.clone(),
        tables: tree.tables.clone(),
        loops: tree.loops.clone(),
        bounding_ranges: BTreeMap::new(),
        references: tree.references.clone(),
        rejections: tree.rejections.clone(),
        assumptions: tree.assumptions.clone(),
        bounds: Vec::new(),
        body: Vec::new(),
        work: Work::default(),
    }
}

/// The nodes that are kept around one loop, and in it the accesses by the selected references. New sizes replace what
/// is taken out.
pub(super) fn slice(
    nodes: &[Node],
    id: LoopId,
    selected: &BTreeSet<ReferenceId>,
    retention: Retention,
    bare: &mut NestTree,
) -> Vec<Node> {
    let address = |id: &ReferenceId| (*id, &bare.references[*id].offset);
    let mut slicing = Slicing {
        id,
        selected,
        needed: needed(nodes, selected.iter().map(address).collect()),
        retention,
        bare,
    };
    slicing.enclosing(nodes)
}

/// How often a loop occurs in some nodes.
pub(super) fn occurrences(nodes: &[Node], id: LoopId) -> usize {
    let mut n_found = 0;
    for node in nodes {
        node.walk(&mut |node| {
            n_found += usize::from(matches!(node, Node::Loop(inner) if inner.id == id));
        });
    }
    n_found
}

/// The variables that some addresses, and whether they are accessed, depend on.
fn needed(nodes: &[Node], addresses: BTreeMap<ReferenceId, &Expression>) -> BTreeSet<VariableId> {
    let mut uses = Uses {
        addresses,
        sources: BTreeMap::new(),
        needed: BTreeSet::new(),
    };
    uses.collect(nodes, &BTreeSet::new());
    let mut open: Vec<VariableId> = uses.needed.iter().copied().collect();
    while let Some(variable) = open.pop() {
        let sources = uses.sources.get(&variable).into_iter().flatten();
        open.extend(sources.filter(|source| uses.needed.insert(**source)));
    }
    uses.needed
}

/// Which variables others depend on, by their values or by what decides whether they are assigned.
struct Uses<'a> {
    addresses: BTreeMap<ReferenceId, &'a Expression>,
    sources: BTreeMap<VariableId, BTreeSet<VariableId>>,
    needed: BTreeSet<VariableId>,
}

impl Uses<'_> {
    /// `around`: the variables in headers and conditions around the nodes.
    fn collect(&mut self, nodes: &[Node], around: &BTreeSet<VariableId>) {
        for node in nodes {
            let mut read = around.clone();
            for expression in node.expressions() {
                add_variables(expression, &mut read);
            }
            match node {
                Node::Assign { variable, .. } => {
                    self.sources.entry(*variable).or_default().extend(read);
                }
                Node::Loop(inner) => {
                    self.collect(&inner.body, &read);
                    let sources = self.sources.entry(inner.variable).or_default();
                    sources.extend(read);
                }
                Node::Branch {
                    then, otherwise, ..
                } => {
                    self.collect(then, &read);
                    self.collect(otherwise, &read);
                }
                Node::Access(id) => {
                    if let Some(address) = self.addresses.get(id) {
                        add_variables(address, &mut read);
                        self.needed.extend(read);
                    }
                }
                Node::Opaque(_) | Node::Operations(_) => {}
            }
        }
    }
}

fn add_variables(expression: &Expression, variables: &mut BTreeSet<VariableId>) {
    expression.walk(&mut |part| {
        if let Expression::Variable(id) = part {
            variables.insert(*id);
        }
    });
}

struct Slicing<'a> {
    id: LoopId,
    selected: &'a BTreeSet<ReferenceId>,
    /// The variables that the subscripts depend on.
    needed: BTreeSet<VariableId>,
    retention: Retention,
    bare: &'a mut NestTree,
}

impl Slicing<'_> {
    fn enclosing(&mut self, nodes: &[Node]) -> Vec<Node> {
        let mut list = Vec::new();
        for node in nodes {
            if occurrences(std::slice::from_ref(node), self.id) == 0 {
                list.extend(self.aside(node));
                continue;
            }
            match node {
                Node::Loop(inner) if inner.id == self.id => list.push(self.itself(inner)),
                Node::Loop(inner) => list.extend(self.outer(node, inner)),
                Node::Branch {
                    condition,
                    then,
                    otherwise,
                } => {
                    let arms = [self.enclosing(then), self.enclosing(otherwise)];
                    list.extend(self.branch(condition, arms));
                }
                _ => unreachable!("a loop stands in loops and branches"),
            }
        }
        list
    }

    fn outer(&mut self, node: &Node, inner: &Loop) -> Vec<Node> {
        let body = self.enclosing(&inner.body);
        if self.retention < Retention::Iterators && !is_data(node) {
            return vec![Node::Loop(inner.with_body(body))];
        }
        // Any one iteration.
        let mut list = forgotten(std::slice::from_ref(node));
        let value = self.any();
        list.push(Node::Assign {
            variable: inner.variable,
            value,
        });
        list.extend(body);
        list.extend(forgotten(std::slice::from_ref(node)));
        list
    }

    fn itself(&mut self, inner: &Loop) -> Node {
        let body = self.inside(&inner.body);
        let mut own = inner.with_body(body);
        let is_up = !matches!(inner.step, Expression::Integer(..=-1));
        for part in [&mut own.first, &mut own.bound] {
            if self.retention == Retention::Iterators || has_data(part) {
                *part = self.any();
                own.comparison = match is_up {
                    true => Comparison::Less,
                    false => Comparison::GreaterEqual,
                };
            }
        }
        Node::Loop(own)
    }

    /// What the loop does in each iteration.
    fn inside(&mut self, nodes: &[Node]) -> Vec<Node> {
        let mut list = Vec::new();
        for node in nodes {
            match node {
                Node::Access(id) if self.selected.contains(id) => list.push(node.clone()),
                Node::Assign { .. } => list.push(node.clone()),
                Node::Branch {
                    condition,
                    then,
                    otherwise,
                } => {
                    let arms = [self.inside(then), self.inside(otherwise)];
                    list.extend(self.branch(condition, arms));
                }
                Node::Loop(_) | Node::Access(_) | Node::Opaque(_) | Node::Operations(_) => {}
            }
        }
        list
    }

    /// What stays of a node that the loop is not in.
    fn aside(&mut self, node: &Node) -> Vec<Node> {
        let nodes = std::slice::from_ref(node);
        let mut is_needed = false;
        Node::each_assigned(nodes, &mut |id| is_needed |= self.needed.contains(&id));
        if !is_needed {
            return Vec::new();
        }
        match node {
            Node::Assign { .. } => vec![node.clone()],
            Node::Loop(inner) if self.retention == Retention::All && !is_data(node) => {
                let body = inner.body.iter().flat_map(|x| self.aside(x)).collect();
                vec![Node::Loop(inner.with_body(body))]
            }
            Node::Loop(_) => forgotten(nodes),
            Node::Branch {
                condition,
                then,
                otherwise,
            } => {
                let arms = [then, otherwise]
                    .map(|arm| arm.iter().flat_map(|x| self.aside(x)).collect::<Vec<_>>());
                self.branch(condition, arms)
            }
            Node::Access(_) | Node::Opaque(_) | Node::Operations(_) => Vec::new(),
        }
    }

    /// Both arms one after the other where it is not known which is executed.
    fn branch(&self, condition: &Expression, [then, otherwise]: [Vec<Node>; 2]) -> Vec<Node> {
        if self.retention == Retention::All && !has_data(condition) {
            return vec![Node::Branch {
                condition: condition.clone(),
                then,
                otherwise,
            }];
        }
        let (first, second) = (forgotten(&then), forgotten(&otherwise));
        [then, first.clone(), otherwise, first, second].concat()
    }

    /// A number of which nothing is known but that it is not negative.
    fn any(&mut self) -> Expression {
        let id = self.bare.parameters.push(Parameter {
            name: "any@".to_owned(),
            value: None,
            kind: ParameterKind::Size,
            span: self.bare.span,
        });
        Expression::Parameter(id)
    }
}

fn has_data(expression: &Expression) -> bool {
    expression.any(|part| *part == Expression::Data)
}

fn is_data(node: &Node) -> bool {
    node.expressions().into_iter().any(has_data)
}

/// Makes unknown what some nodes assign.
fn forgotten(nodes: &[Node]) -> Vec<Node> {
    let mut changed: BTreeSet<VariableId> = BTreeSet::new();
    Node::assigned(nodes, &mut changed);
    let unknown = changed.into_iter().map(|variable| Node::Assign {
        variable,
        value: Expression::Data,
    });
    unknown.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_tree::EntityRef;

    fn counted(id: usize, body: Vec<Node>) -> Node {
        Node::Loop(Loop {
            id: LoopId::new(id),
            variable: VariableId::new(id),
            first: 0.into(),
            comparison: Comparison::Less,
            bound: 10.into(),
            step: 1.into(),
            body,
        })
    }

    #[test]
    fn a_loop_in_both_arms_of_a_branch_occurs_twice() {
        let both = Node::Branch {
            condition: Expression::Data,
            then: vec![counted(1, Vec::new())],
            otherwise: vec![counted(1, Vec::new())],
        };
        let nodes = [counted(0, vec![both]), counted(2, Vec::new())];
        let times = [0, 1, 2, 3].map(|id| occurrences(&nodes, LoopId::new(id)));
        assert_eq!(times, [1, 2, 1, 0]);
    }

    #[test]
    fn variables_are_needed_for_values_and_for_what_decides_whether_they_are_assigned() {
        let [a, b, c, d] = [4, 5, 6, 7].map(VariableId::new);
        let assign = |variable: VariableId, value: Expression| Node::Assign { variable, value };
        let id = ReferenceId::new(0);
        let address = Expression::Variable(a);
        // if (c) a = b;  d = a;  for (…) x[a];  for (…);
        let nodes = [
            Node::Branch {
                condition: Expression::Variable(c),
                then: vec![assign(a, Expression::Variable(b))],
                otherwise: Vec::new(),
            },
            assign(d, Expression::Variable(a)),
            counted(1, vec![Node::Access(id)]),
            counted(2, Vec::new()),
        ];
        let found = needed(&nodes, BTreeMap::from([(id, &address)]));
        assert_eq!(found, BTreeSet::from([a, b, c]));
    }

    #[test]
    fn what_is_not_executed_for_certain_leaves_all_that_it_assigns_unknown() {
        let assign = |id: usize, value: Expression| Node::Assign {
            variable: VariableId::new(id),
            value,
        };
        let nodes = [counted(3, vec![assign(5, 1.into())]), assign(4, 2.into())];
        // The iterator is assigned, too.
        let unknown = [3, 4, 5].map(|id| assign(id, Expression::Data));
        assert_eq!(forgotten(&nodes), unknown);
        assert_eq!(forgotten(&[]), []);
    }
}
