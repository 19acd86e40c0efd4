//! Whether two accesses to a line touch the same element of it.
//!
//! The offset of the sink's element minus that of the source's is a function of the sink's iteration, as is the
//! source's iteration. If it is 0 at several iterations in general position, the element is the same: the functions are
//! polynomials of low degree.

use premiss_dataflow::Reuse;
use premiss_presburger::Affine;
use premiss_scop::{NodeId, NodeKind, Scop};
use premiss_tree::{Expression, LoopId, NestTree, Node, VariableId};
use std::collections::BTreeMap;

/// What two accesses to the same line share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sharing {
    /// The same element.
    Element,
    /// The line, but not the element.
    Line,
    /// At least the line; whether also the element is not known.
    AtLeastLine,
}

/// Base numbers of sample iterations, chosen to be in general position.
const SAMPLES: [i64; 3] = [1_009, 2_003, 4_021];

/// What the source and the sink of a reuse share.
pub(crate) fn sharing(tree: &NestTree, scop: &Scop, sink: NodeId, reuse: &Reuse) -> Sharing {
    let variables = loop_variables(tree);
    let mut is_same = true;
    for sample in SAMPLES {
        let columns = parameters_at(scop, sample);
        let depth = scop.nodes[sink].depth;
        let iterations = (0_i128..).take(depth);
        let iterations = iterations.map(|k| i128::from(sample) * 17 + 101 * k * k);
        let point: Vec<i128> = columns.iter().copied().chain(iterations).collect();
        let source: Option<Vec<i128>> = reuse.map.iter().map(|x| at(x, &point)).collect();
        let Some(source) = source else {
            return Sharing::AtLeastLine;
        };
        let here = ElementLocator {
            tree,
            scop,
            variables: &variables,
            columns: &columns,
        };
        let pair = here
            .offset(sink, &point[columns.len()..])
            .zip(here.offset(reuse.source, &source));
        match pair {
            Some((a, b)) => is_same &= a == b,
            None => return Sharing::AtLeastLine,
        }
    }
    if is_same {
        Sharing::Element
    } else {
        Sharing::Line
    }
}

fn at(form: &Affine, point: &[i128]) -> Option<i128> {
    form.at(point).ok()
}

fn parameters_at(scop: &Scop, sample: i64) -> Vec<i128> {
    let sizes = (0_i128..).take(scop.parameters.len());
    sizes.map(|k| i128::from(sample) * 31 + 7 * k).collect()
}

/// The variables of loops with step one, whose values are the columns.
fn loop_variables(tree: &NestTree) -> BTreeMap<LoopId, VariableId> {
    let mut variables = BTreeMap::new();
    for node in &tree.body {
        node.walk(&mut |node| {
            if let Node::Loop(inner) = node
                && matches!(inner.step, Expression::Integer(1 | -1))
            {
                variables.insert(inner.id, inner.variable);
            }
        });
    }
    variables
}

struct ElementLocator<'a> {
    tree: &'a NestTree,
    scop: &'a Scop,
    variables: &'a BTreeMap<LoopId, VariableId>,
    columns: &'a [i128],
}

impl ElementLocator<'_> {
    /// The offset of an access's element in its array, at an iteration.
    fn offset(&self, node: NodeId, iteration: &[i128]) -> Option<i128> {
        let NodeKind::Access(access) = &self.scop.nodes[node].kind else {
            return None;
        };
        let mut values: BTreeMap<VariableId, i128> = BTreeMap::new();
        let mut around = self.scop.nodes[node].parent;
        let mut factor: BTreeMap<LoopId, i128> = BTreeMap::new();
        while let Some(node) = around {
            let parent = &self.scop.nodes[node];
            if let NodeKind::Loop { id, range, .. } = &parent.kind {
                let variable = self.variables.get(id)?;
                let scale = factor.entry(*id).or_insert(1);
                *values.entry(*variable).or_default() += *scale * iteration.get(parent.depth)?;
                *scale *= range.map_or(1, |(_, most)| i128::from(most) + 1);
            }
            around = parent.parent;
        }
        self.value(&self.tree.references[access.reference].offset, &values)
    }

    fn value(&self, of: &Expression, values: &BTreeMap<VariableId, i128>) -> Option<i128> {
        match of {
            Expression::Integer(value) => Some(i128::from(*value)),
            Expression::Variable(id) => values.get(id).copied(),
            Expression::Parameter(id) => {
                if let Some(value) = self.tree.parameters[*id].value {
                    return Some(i128::from(value));
                }
                let mut sizes = self.scop.parameters.iter().zip(self.columns);
                let (size, column) = sizes.find(|(size, _)| size.id == *id)?;
                Some(i128::from(size.factor) * column + i128::from(size.residue))
            }
            Expression::Binary(operator, a, b) => {
                let a = i64::try_from(self.value(a, values)?).ok()?;
                let b = i64::try_from(self.value(b, values)?).ok()?;
                operator.apply(a, b).map(i128::from)
            }
            Expression::Unary(operator, x) => {
                let x = i64::try_from(self.value(x, values)?).ok()?;
                operator.apply(x).map(i128::from)
            }
            Expression::Wrap(_, x) => self.value(x, values),
            Expression::Entry(id, index) => {
                let index = i64::try_from(self.value(index, values)?).ok()?;
                self.tree.tables[*id].entry(index).map(i128::from)
            }
            Expression::Data | Expression::Select(_) => None,
        }
    }
}
