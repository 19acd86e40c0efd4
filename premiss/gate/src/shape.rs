//! What a nest does to memory, without the names in it.
//!
//! Two texts have one shape where they make the same accesses in the same order for the same sizes: the
//! tree is written out with ids numbered in order of first appearance, and no names, places or texts.
//!
//! ```text
//! for (i = 0; i < n; i++) s += a[i];     loop V0 0 Less P0 1 { Load A0 8*V0 }
//! for (k = 0; k < m; k++) t += x[k];     the same
//! ```

use premiss_tree::{
    ArrayId, Expression, Loop, LoopId, NestTree, Node, ParameterId, ReferenceId, VariableId,
};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The digest of what is written out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Shape([u8; 32]);

/// An outermost loop of a function with all that is in it, or what the function does outside of loops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nest {
    /// The loop; none for what is outside of all.
    pub outermost: Option<LoopId>,
    /// What it does.
    pub shape: Shape,
    /// The sizes that it depends on, in order of first appearance: those of nests of one shape correspond.
    pub sizes: Vec<ParameterId>,
    /// Its references.
    pub references: Vec<ReferenceId>,
    /// Whether it has a part that was not understood.
    pub is_opaque: bool,
}

/// The nests of a function in order; what is outside of loops comes last, if it accesses anything.
#[must_use]
pub fn nests(tree: &NestTree) -> Vec<Nest> {
    let (mut loops, mut outside) = (Vec::new(), Vec::new());
    split(&tree.body, &mut loops, &mut outside);
    let mut nests: Vec<Nest> = loops.into_iter().map(|node| nest(tree, &[node])).collect();
    let rest = nest(tree, &outside);
    if rest.is_opaque || !rest.references.is_empty() {
        nests.push(rest);
    }
    nests
}

/// Outermost loops, and the accesses and places not understood that are outside of them.
fn split<'a>(nodes: &'a [Node], loops: &mut Vec<&'a Node>, outside: &mut Vec<&'a Node>) {
    for node in nodes {
        match node {
            Node::Loop(_) => loops.push(node),
            Node::Branch {
                then, otherwise, ..
            } => {
                split(then, loops, outside);
                split(otherwise, loops, outside);
            }
            Node::Access(_) | Node::Opaque(_) => outside.push(node),
            Node::Assign { .. } | Node::Operations(_) => {}
        }
    }
}

fn nest(tree: &NestTree, nodes: &[&Node]) -> Nest {
    let mut writer = Writer::new(tree);
    nodes.iter().for_each(|node| writer.node(node));
    let outermost = match nodes {
        [Node::Loop(inner)] => Some(inner.id),
        _ => None,
    };
    Nest {
        outermost,
        shape: Shape(*blake3::hash(writer.text.as_bytes()).as_bytes()),
        sizes: writer.sizes,
        references: writer.references,
        is_opaque: writer.is_opaque,
    }
}

struct Writer<'a> {
    tree: &'a NestTree,
    text: String,
    sizes: Vec<ParameterId>,
    variables: BTreeMap<VariableId, usize>,
    arrays: BTreeMap<ArrayId, usize>,
    references: Vec<ReferenceId>,
    is_opaque: bool,
}

impl<'a> Writer<'a> {
    fn new(tree: &'a NestTree) -> Self {
        Self {
            tree,
            text: String::new(),
            sizes: Vec::new(),
            variables: BTreeMap::new(),
            arrays: BTreeMap::new(),
            references: Vec::new(),
            is_opaque: false,
        }
    }

    fn word(&mut self, word: impl std::fmt::Display) {
        let _ = write!(self.text, "{word} ");
    }

    fn nodes(&mut self, nodes: &[Node]) {
        self.word("{");
        nodes.iter().for_each(|node| self.node(node));
        self.word("}");
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Loop(inner) => self.counted_loop(inner),
            Node::Access(id) => self.access(*id),
            Node::Branch {
                condition,
                then,
                otherwise,
            } => {
                self.word("if");
                self.expression(condition);
                self.nodes(then);
                self.nodes(otherwise);
            }
            Node::Assign { variable, value } => {
                self.word("set");
                self.variable(*variable);
                self.expression(value);
            }
            Node::Opaque(id) => {
                self.is_opaque = true;
                let code = self.tree.rejections[*id].reason.code();
                self.word(code);
            }
            Node::Operations(_) => {}
        }
    }

    fn counted_loop(&mut self, inner: &Loop) {
        self.word("loop");
        self.variable(inner.variable);
        self.expression(&inner.first);
        self.word(format_args!("{:?}", inner.comparison));
        self.expression(&inner.bound);
        self.expression(&inner.step);
        let tree = self.tree;
        if let Some(enclosure) = tree.enclosures.get(&inner.id) {
            self.word("within");
            self.expression(&enclosure.first);
            self.expression(&enclosure.bound);
            self.word(enclosure.step);
        }
        self.nodes(&inner.body);
    }

    fn access(&mut self, id: ReferenceId) {
        self.references.push(id);
        let tree = self.tree;
        let reference = &tree.references[id];
        self.word(format_args!("{:?} {}", reference.kind, reference.size));
        self.array(reference.array);
        self.expression(&reference.offset);
    }

    /// An array, at its first appearance with what places it in memory.
    fn array(&mut self, id: ArrayId) {
        let next = self.arrays.len();
        if let Some(known) = self.arrays.get(&id) {
            let known = *known;
            return self.word(format_args!("A{known}"));
        }
        self.arrays.insert(id, next);
        let tree = self.tree;
        let array = &tree.arrays[id];
        let (storage, size) = (array.storage, array.element_size);
        self.word(format_args!("A{next}:{storage:?} {size}"));
        match &array.extent {
            Some(extent) => self.expression(extent),
            None => self.word("open"),
        }
    }

    fn variable(&mut self, id: VariableId) {
        let next = self.variables.len();
        let number = *self.variables.entry(id).or_insert(next);
        self.word(format_args!("V{number}"));
    }

    fn size(&mut self, id: ParameterId) {
        let known = self.sizes.iter().position(|known| *known == id);
        let number = known.unwrap_or_else(|| {
            self.sizes.push(id);
            self.sizes.len() - 1
        });
        let kind = self.tree.parameters.get(id).map(|size| size.kind);
        self.word(format_args!("P{number}:{kind:?}"));
    }

    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Integer(value) => self.word(value),
            Expression::Parameter(id) => self.size(*id),
            Expression::Variable(id) => self.variable(*id),
            Expression::Data => self.word("data"),
            Expression::Unary(operator, x) => {
                self.word(format_args!("{operator:?}"));
                self.expression(x);
            }
            Expression::Binary(operator, a, b) => {
                self.word(format_args!("{operator:?}"));
                self.expression(a);
                self.expression(b);
            }
            Expression::Select(operands) => {
                self.word("select");
                operands.iter().for_each(|x| self.expression(x));
            }
            Expression::Wrap(kind, x) => {
                self.word(format_args!("{kind:?}"));
                self.expression(x);
            }
            Expression::Entry(table, x) => {
                let tree = self.tree;
                let entries = &tree.tables[*table].entries;
                let mut hasher = blake3::Hasher::new();
                entries.iter().for_each(|entry| {
                    hasher.update(&entry.to_le_bytes());
                });
                self.word(format_args!("entry:{}", hasher.finalize()));
                self.expression(x);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matching::tests::tree;

    fn shapes(source: &str) -> Vec<Shape> {
        nests(&tree(source)).iter().map(|x| x.shape).collect()
    }

    const SUM: &str = "double s; void f(int n, double a[n][n]) {\n\
                       for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += a[i][j]; }";

    #[test]
    fn names_and_layout_of_the_text_do_not_matter() {
        let other = "double total; /* of all */\n\nint unused;\nvoid rows(int rank, double m[rank][rank])\n{\n  \
                     for (int y = 0; y < rank; y++) {\n    // row by row\n    for (int x = 0; x < rank; x++)\n      \
                     total += m[y][x];\n  }\n}\n";
        assert_eq!(shapes(SUM), shapes(other));
        assert_eq!(shapes(SUM).len(), 1);
    }

    #[test]
    fn what_is_accessed_matters() {
        let all = [
            SUM.to_owned(),
            SUM.replace("a[i][j]", "a[j][i]"),
            SUM.replace("i < n", "i <= n"),
            SUM.replace("i = 0", "i = 1"),
            SUM.replace("double a", "float a"),
            SUM.replace("s += a[i][j]", "a[i][j] = s"),
            SUM.replace("int n, double a[n][n]", "int n, int m, double a[n][m]"),
        ];
        let mut distinct: Vec<_> = all.iter().map(|source| shapes(source)).collect();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), all.len());
    }
}
