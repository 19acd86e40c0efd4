//! A [`Scop`] as text, with the names that its ids have in the source.
//!
//! ```text
//! lines of 64 bytes
//! size n = 8*n' + 3
//! context [n'] -> { [] : 0 <= n' }
//! S0 lines [any] of a
//! N0 loop i ascending
//!   N1 loop i' ascending in 0..=7
//!     N2 access R0 load a[i]
//!       [n'] -> { N2[i, i'] -> S0[i] : 0 <= i and i <= n' and 8*i + i' <= 8*n' + 2 }
//! ```

use crate::scop::{Access, Certainty, Direction, Node, NodeId, NodeKind, Scop, SymbolicParameter};
use premiss_presburger::Notation;
use premiss_tree::{AccessKind, ArrayId, LoopId, NestTree, ReferenceId};
use std::fmt::{self, Display, Formatter};

/// What parameters, loop variables and references of a scop are called.
#[derive(Clone, Debug)]
pub struct ScopNames<'a> {
    scop: &'a Scop,
    tree: Option<&'a NestTree>,
    parameters: Vec<String>,
}

impl<'a> ScopNames<'a> {
    /// Names made of ids, for which no tree is needed.
    #[must_use]
    pub fn ids(scop: &'a Scop) -> Self {
        let parameter = |parameter: &SymbolicParameter| parameter.id.to_string();
        Self::new(scop, None, parameter)
    }

    /// The names in the source, from the tree that the scop was lowered from.
    #[must_use]
    pub fn of_tree(scop: &'a Scop, tree: &'a NestTree) -> Self {
        let parameter = |parameter: &SymbolicParameter| tree.parameters[parameter.id].name.clone();
        Self::new(scop, Some(tree), parameter)
    }

    fn new(
        scop: &'a Scop,
        tree: Option<&'a NestTree>,
        size: impl Fn(&SymbolicParameter) -> String,
    ) -> Self {
        let column = |parameter: &SymbolicParameter| match is_plain(parameter) {
            true => size(parameter),
            false => format!("{}'", size(parameter)),
        };
        Self {
            scop,
            tree,
            parameters: scop.parameters.iter().map(column).collect(),
        }
    }

    /// The names of the columns of a node: parameters, then the variables of the loops around, outermost first. Of
    /// loops with equal names, such as the two that a strip-mined loop becomes, inner ones get primes.
    #[must_use]
    pub fn notation_at(&self, node: NodeId) -> Notation {
        let mut loops = Vec::new();
        let mut outer = self.scop.nodes[node].parent;
        while let Some(id) = outer {
            let node = &self.scop.nodes[id];
            if let NodeKind::Loop { id, .. } = &node.kind {
                loops.push(self.iterator(*id));
            }
            outer = node.parent;
        }
        loops.reverse();
        let mut variables: Vec<String> = Vec::new();
        for mut name in loops {
            while variables.contains(&name) || self.parameters.contains(&name) {
                name.push('\'');
            }
            variables.push(name);
        }
        Notation {
            parameters: self.parameters.clone(),
            variables,
        }
    }

    /// The names of the columns inside a loop: those around it, and its own variable.
    #[must_use]
    pub fn notation_inside(&self, node: NodeId) -> Notation {
        let NodeKind::Loop { children, .. } = &self.scop.nodes[node].kind else {
            return self.notation_at(node);
        };
        children
            .first()
            .map_or_else(|| self.notation_at(node), |child| self.notation_at(*child))
    }

    /// The names of the columns of a reference's access; none where the scop has no access by the reference.
    #[must_use]
    pub fn notation_of(&self, reference: ReferenceId) -> Notation {
        let is_it =
            |node: &Node| matches!(&node.kind, NodeKind::Access(x) if x.reference == reference);
        let mut nodes = self.scop.nodes.iter();
        let node = nodes.find_map(|(id, node)| is_it(node).then_some(id));
        node.map_or_else(Notation::default, |node| self.notation_at(node))
    }

    /// A reference with its text, such as `R2 load a[i]`.
    #[must_use]
    pub fn reference(&self, id: ReferenceId) -> String {
        match self.tree.map(|tree| &tree.references[id]) {
            Some(reference) => format!("{id} {} {}", verb(reference.kind), reference.text),
            None => id.to_string(),
        }
    }

    /// One text such as `n = 8*n' + 3` for each symbolic size that differs from the variable of its column.
    #[must_use]
    pub fn definitions(&self) -> Vec<String> {
        let pairs = self.scop.parameters.iter().zip(&self.parameters);
        let of_class = pairs.filter(|(parameter, _)| !is_plain(parameter));
        let definition = |(parameter, column): (&SymbolicParameter, &String)| {
            let (size, factor) = (column.trim_end_matches('\''), parameter.factor);
            match parameter.residue {
                0 => format!("{size} = {factor}*{column}"),
                residue => format!("{size} = {factor}*{column} + {residue}"),
            }
        };
        of_class.map(definition).collect()
    }

    fn iterator(&self, id: LoopId) -> String {
        match self.tree {
            Some(tree) => tree.loops[id].iterator.clone(),
            None => id.to_string().to_lowercase(),
        }
    }

    fn array(&self, id: ArrayId) -> String {
        match self.tree {
            Some(tree) => tree.arrays[id].name.clone(),
            None => id.to_string(),
        }
    }
}

fn verb(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Load => "load",
        AccessKind::Store => "store",
    }
}

/// Whether a size is its column.
fn is_plain(parameter: &SymbolicParameter) -> bool {
    parameter.factor == 1 && parameter.residue == 0
}

/// A scop with names.
struct NamedScop<'a>(ScopNames<'a>);

impl Scop {
    /// As text, with names as the source has them.
    #[must_use]
    pub fn display<'a>(&'a self, tree: &'a NestTree) -> impl Display + use<'a> {
        NamedScop(ScopNames::of_tree(self, tree))
    }
}

/// With ids in place of names.
impl Display for Scop {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        NamedScop(ScopNames::ids(self)).fmt(f)
    }
}

impl Display for NamedScop<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let scop = self.0.scop;
        writeln!(f, "lines of {} bytes", scop.line_size)?;
        for definition in self.0.definitions() {
            writeln!(f, "size {definition}")?;
        }
        let context = Notation {
            parameters: self.0.parameters.clone(),
            variables: Vec::new(),
        };
        writeln!(
            f,
            "context {}",
            context.set("", std::slice::from_ref(&scop.context))
        )?;
        for (id, space) in &scop.spaces {
            let coordinates = space.coordinates.iter().map(|x| range(x.range));
            let coordinates: Vec<String> = coordinates.collect();
            let array = self.0.array(space.array);
            writeln!(f, "{id} lines [{}] of {array}", coordinates.join(", "))?;
        }
        scop.roots
            .iter()
            .try_for_each(|root| self.node(f, *root, 0))
    }
}

impl NamedScop<'_> {
    fn node(&self, f: &mut Formatter<'_>, id: NodeId, indent: usize) -> fmt::Result {
        let blank = "  ".repeat(indent);
        match &self.0.scop.nodes[id].kind {
            NodeKind::Loop {
                direction,
                range: values,
                children,
                ..
            } => {
                let variables = self.0.notation_inside(id).variables;
                let variable = variables.last().map_or("", String::as_str);
                let direction = match direction {
                    Direction::Ascending => "ascending",
                    Direction::Descending => "descending",
                };
                write!(f, "{blank}{id} loop {variable} {direction}")?;
                match values {
                    Some(_) => writeln!(f, " in {}", range(*values))?,
                    None => writeln!(f)?,
                }
                children
                    .iter()
                    .try_for_each(|child| self.node(f, *child, indent + 1))
            }
            NodeKind::Access(access) => self.access(f, id, access, &blank),
        }
    }

    fn access(
        &self,
        f: &mut Formatter<'_>,
        id: NodeId,
        access: &Access,
        blank: &str,
    ) -> fmt::Result {
        let possible = match access.certainty {
            Certainty::Certain => "",
            Certainty::Possible => "possible ",
        };
        writeln!(
            f,
            "{blank}{id} {possible}access {}",
            self.0.reference(access.reference)
        )?;
        let notation = self.0.notation_at(id);
        let tuples = (&*id.to_string(), &*access.space.to_string());
        let pieces = access.pieces.iter();
        let mut pieces: Vec<String> = pieces
            .map(|piece| notation.map(tuples, std::slice::from_ref(&piece.domain), &piece.line))
            .collect();
        pieces.sort_unstable();
        pieces
            .iter()
            .try_for_each(|piece| writeln!(f, "{blank}  {piece}"))
    }
}

/// The values of a coordinate or a loop variable.
fn range(range: Option<(i64, i64)>) -> String {
    match range {
        Some((first, last)) => format!("{first}..={last}"),
        None => "any".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scop::{LineCoordinate, LineSpace, LineSpaceId, Piece};
    use premiss_presburger::{Affine, System};
    use premiss_tree::{EntityRef, ParameterId, PrimaryMap};

    /// The lines of `a[i]` in a loop over a size of `8·x + 3`, in blocks of eight.
    fn scop() -> Scop {
        let mut context = System::universe(1);
        context.inequalities.push(Affine::new(vec![0, 1]));
        let loop_node = |parent: Option<NodeId>, depth: usize, child: u32| Node {
            parent,
            depth,
            kind: NodeKind::Loop {
                id: LoopId::new(0),
                direction: Direction::Ascending,
                range: (depth == 1).then_some((0, 7)),
                children: vec![NodeId::from_u32(child)],
            },
        };
        let piece = Piece {
            domain: System::universe(3),
            line: vec![Affine::new(vec![0, 0, 1, 0])],
        };
        let access = Node {
            parent: Some(NodeId::from_u32(1)),
            depth: 2,
            kind: NodeKind::Access(Access {
                reference: ReferenceId::new(0),
                certainty: Certainty::Certain,
                space: LineSpaceId::from_u32(0),
                pieces: vec![piece],
            }),
        };
        let space = LineSpace {
            array: ArrayId::new(0),
            coordinates: vec![LineCoordinate {
                range: None,
                weight: None,
            }],
        };
        let outer = loop_node(None, 0, 1);
        let inner = loop_node(Some(NodeId::from_u32(0)), 1, 2);
        Scop {
            line_size: 64,
            parameters: vec![SymbolicParameter {
                id: ParameterId::new(0),
                factor: 8,
                residue: 3,
            }],
            context,
            spaces: PrimaryMap::from_iter([space]),
            nodes: PrimaryMap::from_iter([outer, inner, access]),
            roots: vec![NodeId::from_u32(0)],
        }
    }

    #[test]
    fn a_loop_in_blocks_is_two_and_the_inner_one_and_the_column_of_a_size_have_primes() {
        let text = scop().to_string();
        let lines: Vec<&str> = text.lines().collect();
        let expected = [
            "lines of 64 bytes",
            "size P0 = 8*P0' + 3",
            "context [P0'] -> { [] : 0 <= P0' }",
            "S0 lines [any] of A0",
            "N0 loop l0 ascending",
            "  N1 loop l0' ascending in 0..=7",
            "    N2 access R0",
        ];
        assert_eq!(lines[..7], expected);
        assert!(lines[7].contains("N2[l0, l0'] -> S0[l0]"), "{}", lines[7]);
    }

    #[test]
    fn a_size_that_is_its_column_needs_no_definition() {
        let mut plain = scop();
        (plain.parameters[0].factor, plain.parameters[0].residue) = (1, 0);
        let names = ScopNames::ids(&plain);
        assert!(names.definitions().is_empty());
        assert_eq!(names.notation_of(ReferenceId::new(0)).parameters, ["P0"]);
        assert_eq!(names.notation_of(ReferenceId::new(1)).parameters, [""; 0]);
        let outside = names.notation_at(NodeId::from_u32(0));
        assert_eq!(outside.variables, [""; 0]);
        assert_eq!(names.notation_inside(NodeId::from_u32(0)).variables, ["l0"]);
    }
}
