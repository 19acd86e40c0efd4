//! Scops for tests, written as nests. Forms are over the constant one and the loops around, outermost first.

use premiss_presburger::{Affine, System};
use premiss_scop::{
    Access, ArrayId, Certainty, Direction, EntityRef, LineCoordinate, LineSpace, LineSpaceId,
    LoopId, Node, NodeId, NodeKind, Piece, ReferenceId, Scop,
};

/// A form by its first coefficients; the others are zero.
pub(crate) type Form = Vec<i64>;

/// A part of a nest. Accesses have the references 0, 1, … in the order of the text.
pub(crate) enum Nest {
    Loop {
        id: usize,
        direction: Direction,
        range: Option<(i64, i64)>,
        /// Forms that are not negative in its iterations, its own variable included.
        bounds: Vec<Form>,
        body: Vec<Nest>,
    },
    Access {
        array: usize,
        line: Vec<Form>,
    },
}

/// A loop from `first` to `last`, which stands at `depth`.
fn counted(
    id: usize,
    depth: usize,
    first: i64,
    last: i64,
    direction: Direction,
    body: Vec<Nest>,
) -> Nest {
    let own = |constant: i64, sign: i64| {
        let mut form = vec![0; depth + 2];
        (form[0], form[depth + 1]) = (constant, sign);
        form
    };
    Nest::Loop {
        id,
        direction,
        range: None,
        bounds: vec![own(-first, 1), own(last, -1)],
        body,
    }
}

/// `for (v = first; v <= last; v++)` without loops around.
pub(crate) fn up(id: usize, first: i64, last: i64, body: Vec<Nest>) -> Nest {
    counted(id, 0, first, last, Direction::Ascending, body)
}

/// As [`up`], in one other loop.
pub(crate) fn inner(id: usize, first: i64, last: i64, body: Vec<Nest>) -> Nest {
    counted(id, 1, first, last, Direction::Ascending, body)
}

/// `for (v = last; first <= v; v--)` without loops around.
pub(crate) fn down(id: usize, first: i64, last: i64, body: Vec<Nest>) -> Nest {
    counted(id, 0, first, last, Direction::Descending, body)
}

/// `for (v = 0; v < n; v++)` in blocks of four: two loops without loops around.
pub(crate) fn in_fours(id: usize, n: i64, body: Vec<Nest>) -> Nest {
    let block = |range, bounds, body| Nest::Loop {
        id,
        direction: Direction::Ascending,
        range,
        bounds,
        body,
    };
    let within = vec![vec![0, 0, 1], vec![3, 0, -1], vec![n - 1, -4, -1]];
    let places = block(Some((0, 3)), within, body);
    block(None, vec![vec![0, 1]], vec![places])
}

pub(crate) fn touch(array: usize, line: &[&[i64]]) -> Nest {
    Nest::Access {
        array,
        line: line.iter().map(|form| form.to_vec()).collect(),
    }
}

/// The scop of some nests; each array has the coordinates of its first access.
pub(crate) fn scop(nests: &[Nest]) -> Scop {
    let mut builder = Builder {
        scop: Scop {
            line_size: 8,
            parameters: Vec::new(),
            context: System::universe(0),
            spaces: [].into_iter().collect(),
            nodes: [].into_iter().collect(),
            roots: Vec::new(),
        },
        n_references: 0,
    };
    let mut ranks = Vec::new();
    find_ranks(nests, &mut ranks);
    for (idx, rank) in ranks.into_iter().enumerate() {
        builder.scop.spaces.push(LineSpace {
            array: ArrayId::new(idx),
            coordinates: vec![
                LineCoordinate {
                    range: None,
                    weight: None
                };
                rank
            ],
        });
    }
    let roots = builder.nodes(nests, None, &System::universe(0));
    builder.scop.roots = roots;
    builder.scop
}

fn find_ranks(nests: &[Nest], ranks: &mut Vec<usize>) {
    for nest in nests {
        match nest {
            Nest::Loop { body, .. } => find_ranks(body, ranks),
            Nest::Access { array, line } => {
                ranks.resize(ranks.len().max(array + 1), line.len());
            }
        }
    }
}

struct Builder {
    scop: Scop,
    n_references: usize,
}

impl Builder {
    fn nodes(&mut self, nests: &[Nest], parent: Option<NodeId>, domain: &System) -> Vec<NodeId> {
        let nodes = nests.iter().map(|nest| self.node(nest, parent, domain));
        nodes.collect()
    }

    fn node(&mut self, nest: &Nest, parent: Option<NodeId>, domain: &System) -> NodeId {
        let depth = domain.variables;
        let form = |form: &Form, columns| Affine::new(form.clone()).widened(columns);
        match nest {
            Nest::Access { array, line } => {
                let reference = ReferenceId::new(self.n_references);
                self.n_references += 1;
                let piece = Piece {
                    domain: domain.clone(),
                    line: line.iter().map(|x| form(x, depth + 1)).collect(),
                };
                let access = Access {
                    reference,
                    certainty: Certainty::Certain,
                    space: LineSpaceId::new(*array),
                    pieces: vec![piece],
                };
                self.push(parent, depth, NodeKind::Access(access))
            }
            Nest::Loop {
                id,
                direction,
                range,
                bounds,
                body,
            } => {
                let kind = NodeKind::Loop {
                    id: LoopId::new(*id),
                    direction: *direction,
                    range: *range,
                    children: Vec::new(),
                };
                let node = self.push(parent, depth, kind);
                let mut inside = System::universe(depth + 1);
                let around = domain.inequalities.iter().map(|x| x.widened(depth + 2));
                let own = bounds.iter().map(|x| form(x, depth + 2));
                inside.inequalities = around.chain(own).collect();
                let below = self.nodes(body, Some(node), &inside);
                if let NodeKind::Loop { children, .. } = &mut self.scop.nodes[node].kind {
                    *children = below;
                }
                node
            }
        }
    }

    fn push(&mut self, parent: Option<NodeId>, depth: usize, kind: NodeKind) -> NodeId {
        self.scop.nodes.push(Node {
            parent,
            depth,
            kind,
        })
    }
}

/// The node of the access by a reference.
pub(crate) fn access(scop: &Scop, reference: usize) -> NodeId {
    let is_it =
        |node: &Node| matches!(&node.kind, NodeKind::Access(x) if x.reference.index() == reference);
    let mut nodes = scop.nodes.iter();
    let found = nodes.find_map(|(id, node)| is_it(node).then_some(id));
    found.expect("there is such an access")
}

/// The outermost node of a loop.
pub(crate) fn loop_node(scop: &Scop, id: usize) -> NodeId {
    let is_it = |node: &Node| matches!(node.kind, NodeKind::Loop { id: x, .. } if x.index() == id);
    let mut nodes = scop.nodes.iter();
    let found = nodes.find_map(|(id, node)| is_it(node).then_some(id));
    found.expect("there is such a loop")
}

/// The values of forms over variables at a point.
pub(crate) fn values(forms: &[Affine], point: &[i128]) -> Vec<i128> {
    let at = |form: &Affine| form.at(point).expect("it is small");
    forms.iter().map(at).collect()
}

/// Whether a point is in one of some systems.
pub(crate) fn holds(systems: &[System], point: &[i128]) -> bool {
    let mut systems = systems.iter();
    systems.any(|system| system.contains(point).expect("it is small"))
}

/// The points of some systems over variables from -1 to 12.
pub(crate) fn points(systems: &[System], variables: usize) -> Vec<Vec<i128>> {
    let mut all = vec![Vec::new()];
    for _ in 0..variables {
        let longer = |point: &Vec<i128>| {
            let point = point.clone();
            (-1..=12).map(move |value| [&point[..], &[value]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all.retain(|point| holds(systems, point));
    all
}
