//! The shape of a nest: what it does to memory, independent of names.
//!
//! Two texts have the same shape if they make the same accesses in the same order for the same sizes: the tree is
//! written with numbers in place of names, and every integer as a polynomial in sizes and iteration numbers, so that it
//! does not matter how it was computed. The addresses of arrays are not part of it. Of what was not understood, the text
//! is (`program_text`).
//!
//! ```text
//! for (i = 0; i < n; i++) s += a[i];          loop 1 (P0) { Load 8 A0 (8*V0) }
//! for (k = 1; k <= m; ++k) t += x[k - 1];     the same
//! ```

mod expression;
mod writer;

use self::expression::{Atom, Sum};
use self::writer::{Environment, Writer, raw};
use premiss_source::Span;
use premiss_tree::{ArrayId, Expression, LoopId, NestTree, Node, ParameterId, ReferenceId};

/// The digest of the written form of a nest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NestShape([u8; 32]);

impl NestShape {
    /// Its hexadecimal digits.
    pub(crate) fn to_hex(self) -> String {
        blake3::Hash::from_bytes(self.0).to_hex().to_string()
    }

    /// The digest with these digits; `None` if they are malformed.
    pub(crate) fn of_hex(text: &str) -> Option<Self> {
        let hash = blake3::Hash::from_hex(text).ok()?;
        Some(Self(*hash.as_bytes()))
    }
}

/// An outermost loop of a function with all that is in it, or the code of the function outside of loops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nest {
    /// The loop; `None` for the code outside of loops.
    pub outermost: Option<LoopId>,
    /// Its shape.
    pub shape: NestShape,
    /// The shape of the function up to the end of this nest: if it is the same, so are the lines in caches when the
    /// nest starts.
    pub so_far: NestShape,
    /// The sizes that it depends on, in canonical order: those of nests with the same shape correspond by index.
    pub sizes: Vec<ParameterId>,
    /// Its arrays, in canonical order: those of nests with the same shape correspond by index.
    pub arrays: Vec<ArrayId>,
    /// The references in it.
    pub references: Vec<ReferenceId>,
    /// Whether it has a part that was not understood.
    pub is_opaque: bool,
}

/// The nests of a function in order; the code outside of loops comes last, if it accesses anything.
#[must_use]
pub fn nests(tree: &NestTree) -> Vec<Nest> {
    nests_with_text(tree, &|_| None)
}

/// As [`nests`]; the shape of a nest that was not understood contains what `digest` yields for its text, which is in
/// these spans.
pub(crate) fn nests_with_text(
    tree: &NestTree,
    digest: &dyn Fn(&[Span]) -> Option<[u8; 32]>,
) -> Vec<Nest> {
    let mut split = Split {
        tree,
        environment: Environment::default(),
        guards: Vec::new(),
        nests: Vec::new(),
        outside: Vec::new(),
    };
    split.nodes(&tree.body);
    let Split {
        mut nests, outside, ..
    } = split;
    if !outside.is_empty() {
        nests.push(nest(tree, &outside, &mut Environment::default(), &[]));
    }
    for idx in 0..nests.len() {
        if nests[idx].is_opaque
            && let Some(text) = digest(&text_of(tree, &nests, idx, &outside))
        {
            let mut hasher = blake3::Hasher::new();
            hasher.update(&nests[idx].shape.0).update(&text);
            nests[idx].shape = NestShape(*hasher.finalize().as_bytes());
        }
    }
    chain(&mut nests);
    nests
}

/// Where the text of a nest is: from the header of its outermost loop up to that of the next nest of the function. Of
/// the code outside of loops, it is what was not understood.
fn text_of(tree: &NestTree, nests: &[Nest], idx: usize, outside: &[&Node]) -> Vec<Span> {
    let Some(outermost) = nests[idx].outermost else {
        let opaque = outside.iter().filter_map(|node| match node {
            Node::Opaque(id) => Some(tree.rejections[*id].span),
            _ => None,
        });
        return opaque.collect();
    };
    let header = tree.loops[outermost].span;
    let others = nests.iter().filter_map(|nest| nest.outermost);
    let others = others.map(|id| tree.loops[id].span);
    let later = others.filter(|x| x.file == header.file && header.end <= x.start);
    let end = later.map(|x| x.start).min().unwrap_or(u32::MAX);
    vec![Span { end, ..header }]
}

/// Sets `so_far` of each nest: a digest of all shapes up to it, and of the arrays and sizes that they share.
fn chain(nests: &mut [Nest]) {
    let (mut arrays, mut sizes) = (Vec::new(), Vec::new());
    let mut hasher = blake3::Hasher::new();
    for nest in nests {
        hasher.update(&nest.shape.0);
        for number in numbers(&mut arrays, &nest.arrays).chain(numbers(&mut sizes, &nest.sizes)) {
            hasher.update(&number.to_le_bytes());
        }
        nest.so_far = NestShape(*hasher.finalize().as_bytes());
    }
}

/// The index of each item in the order of first appearance.
fn numbers<'a, T: Copy + PartialEq>(
    known: &'a mut Vec<T>,
    all: &'a [T],
) -> impl Iterator<Item = usize> {
    all.iter().map(|one| {
        let found = known.iter().position(|x| x == one);
        found.unwrap_or_else(|| {
            known.push(*one);
            known.len() - 1
        })
    })
}

/// A walk over the function outside of loops, with the values of variables and the conditions under which a loop runs.
struct Split<'a> {
    tree: &'a NestTree,
    environment: Environment,
    /// The conditions, with whether they hold.
    guards: Vec<(Sum, bool)>,
    nests: Vec<Nest>,
    outside: Vec<&'a Node>,
}

impl<'a> Split<'a> {
    fn nodes(&mut self, nodes: &'a [Node]) {
        nodes.iter().for_each(|node| self.node(node));
    }

    fn node(&mut self, node: &'a Node) {
        match node {
            Node::Loop(_) => {
                let found = nest(self.tree, &[node], &mut self.environment, &self.guards);
                self.nests.push(found);
            }
            Node::Branch {
                condition,
                then,
                otherwise,
            } => self.branch(condition, then, otherwise),
            Node::Access(_) | Node::Opaque(_) => self.outside.push(node),
            Node::Assign { variable, value } => {
                self.environment.assign(self.tree, *variable, value);
            }
            Node::Operations(_) => {}
        }
    }

    fn branch(&mut self, condition: &Expression, then: &'a [Node], otherwise: &'a [Node]) {
        let condition = self.environment.value(self.tree, condition);
        let condition = condition.unwrap_or_else(|| Sum::atom(Atom::Data));
        let before = self.environment.clone();
        for (arm, holds) in [(then, true), (otherwise, false)] {
            self.environment = before.clone();
            self.guards.push((condition.clone(), holds));
            self.nodes(arm);
            self.guards.pop();
        }
        self.environment = before;
        self.environment.forget(then);
        self.environment.forget(otherwise);
    }
}

fn nest(
    tree: &NestTree,
    nodes: &[&Node],
    environment: &mut Environment,
    guards: &[(Sum, bool)],
) -> Nest {
    let mut writer = Writer::new(tree, environment.clone());
    let guards = writer.guards(guards, nodes);
    nodes.iter().for_each(|node| writer.node(node));
    let outermost = match nodes {
        [Node::Loop(inner)] => Some(inner.id),
        _ => None,
    };
    let text = match writer.is_plain {
        true => format!("{guards}{}", writer.text),
        // The values of variables depend on the code before: that has to be the same too.
        false => raw(tree, nodes),
    };
    for node in nodes {
        environment.forget(std::slice::from_ref(*node));
    }
    let shape = NestShape(*blake3::hash(text.as_bytes()).as_bytes());
    Nest {
        outermost,
        shape,
        so_far: shape,
        sizes: writer.names.sizes,
        arrays: writer.names.arrays,
        references: writer.references,
        is_opaque: writer.is_opaque,
    }
}

#[cfg(test)]
mod tests;
