//! Predecessors and what lies between, against a walk over all accesses.

use premiss_dataflow::{AccessReuse, ReuseRelation, Segment, analyze};
use premiss_presburger::{Affine, Column, System};
use premiss_scop::{
    Access, ArrayId, Certainty, Direction, EntityRef, LineCoordinate, LineSpace, LineSpaceId,
    LoopId, Node, NodeId, NodeKind, Piece, ReferenceId, Scop,
};
use std::collections::{BTreeSet, HashMap};

/// A nest by hand: forms are over the constant and the loops around, outermost first.
enum Nest {
    /// From, to (inclusive), direction, body.
    For(&'static [i64], &'static [i64], Direction, Vec<Nest>),
    /// An array and the coordinates of the line.
    Touch(usize, Vec<&'static [i64]>),
}
use Direction::{Ascending, Descending};
use Nest::{For, Touch};

fn up(from: &'static [i64], to: &'static [i64], body: Vec<Nest>) -> Nest {
    For(from, to, Ascending, body)
}

struct Builder {
    scop: Scop,
}

impl Builder {
    fn build(nests: &[Nest], ranks: &[usize]) -> Scop {
        let mut builder = Self {
            scop: Scop {
                line_size: 64,
                parameters: Vec::new(),
                context: System::universe(0),
                spaces: ranks.iter().enumerate().map(space).collect(),
                nodes: [].into_iter().collect(),
                roots: Vec::new(),
            },
        };
        let roots = builder.children(nests, None, &System::universe(0));
        builder.scop.roots = roots;
        builder.scop
    }

    fn children(&mut self, nests: &[Nest], parent: Option<NodeId>, domain: &System) -> Vec<NodeId> {
        let nodes = nests.iter().map(|nest| self.node(nest, parent, domain));
        nodes.collect()
    }

    fn node(&mut self, nest: &Nest, parent: Option<NodeId>, domain: &System) -> NodeId {
        let depth = domain.variables;
        let form =
            |coefficients: &[i64], columns| Affine::new(coefficients.to_vec()).widened(columns);
        match nest {
            Touch(space, line) => {
                let line = line.iter().map(|x| form(x, depth + 1)).collect();
                let access = Access {
                    reference: ReferenceId::new(self.scop.nodes.len()),
                    certainty: Certainty::Certain,
                    space: LineSpaceId::new(*space),
                    pieces: vec![Piece {
                        domain: domain.clone(),
                        line,
                    }],
                };
                self.push(parent, depth, NodeKind::Access(access))
            }
            For(from, to, direction, body) => {
                let id = LoopId::new(self.scop.nodes.len());
                let node = self.push(
                    parent,
                    depth,
                    NodeKind::Loop {
                        id,
                        direction: *direction,
                        range: None,
                        children: Vec::new(),
                    },
                );
                let mut inner = System::universe(depth + 1);
                let widen = |x: &Affine| x.widened(depth + 2);
                inner.inequalities = domain.inequalities.iter().map(widen).collect();
                let own = Affine::variable(depth + 2, Column::at_place(depth));
                let (from, to) = (form(from, depth + 2), form(to, depth + 2));
                inner.inequalities.push(own.plus(-1, &from).expect("small"));
                inner.inequalities.push(to.plus(-1, &own).expect("small"));
                let found = self.children(body, Some(node), &inner);
                if let NodeKind::Loop { children, .. } = &mut self.scop.nodes[node].kind {
                    *children = found;
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

fn space((index, rank): (usize, &usize)) -> LineSpace {
    LineSpace {
        array: ArrayId::new(index),
        coordinates: vec![
            LineCoordinate {
                range: None,
                weight: None
            };
            *rank
        ],
    }
}

/// An executed access: the node, its iteration, its line.
type Event = (NodeId, Vec<i128>, (LineSpaceId, Vec<i128>));

fn walk(scop: &Scop, node: NodeId, iteration: &mut Vec<i128>, events: &mut Vec<Event>) {
    match &scop.nodes[node].kind {
        NodeKind::Access(access) => {
            for piece in &access.pieces {
                if piece.domain.contains(iteration).expect("small") {
                    let at = |form: &Affine| form.at(iteration).expect("small");
                    let line = piece.line.iter().map(at).collect();
                    events.push((node, iteration.clone(), (access.space, line)));
                }
            }
        }
        NodeKind::Loop {
            direction,
            children,
            ..
        } => {
            let mut values: Vec<i128> = (-20..=20).collect();
            if *direction == Descending {
                values.reverse();
            }
            for value in values {
                iteration.push(value);
                for child in children {
                    walk(scop, *child, iteration, events);
                }
                iteration.pop();
            }
        }
    }
}

fn check(nests: &[Nest], ranks: &[usize]) {
    let scop = Builder::build(nests, ranks);
    let relation = analyze(&scop).expect("a nest in the model");
    let mut events = Vec::new();
    for root in &scop.roots {
        walk(&scop, *root, &mut Vec::new(), &mut events);
    }
    assert!(20 < events.len(), "the nest does something");
    let lines: BTreeSet<_> = events.iter().map(|event| event.2.clone()).collect();
    let mut last: HashMap<_, usize> = HashMap::new();
    for (now, (node, iteration, line)) in events.iter().enumerate() {
        let reuse = relation.accesses.iter().find(|access| access.sink == *node);
        let reuse = reuse.expect("each access has an answer");
        match last.insert(line.clone(), now) {
            None => assert!(
                holds(&reuse.cold, iteration),
                "{node} {iteration:?} is cold"
            ),
            Some(before) => {
                let since: BTreeSet<_> = events[before + 1..now].iter().map(|x| &x.2).collect();
                check_reuse(&relation, reuse, iteration, &events[before], &|segments| {
                    for line in &lines {
                        let expected = since.contains(line);
                        let found = touches(&relation, segments, iteration, line);
                        assert_eq!(found, expected, "{node} {iteration:?}: {line:?}");
                    }
                });
            }
        }
    }
}

fn check_reuse(
    relation: &ReuseRelation,
    reuse: &AccessReuse,
    iteration: &[i128],
    source: &Event,
    check_between: &dyn Fn(&[Segment]),
) {
    assert!(!holds(&reuse.cold, iteration), "{iteration:?} is not cold");
    let mut found = reuse.reuses.iter().filter(|x| holds(&x.domain, iteration));
    let only = found
        .next()
        .expect("an access that is not cold has a source");
    assert!(found.next().is_none(), "{iteration:?} has one source");
    let at = |form: &Affine| form.at(iteration).expect("small");
    let there: Vec<i128> = only.map.iter().map(at).collect();
    assert_eq!((only.source, &there), (source.0, &source.1));
    assert!(holds(std::slice::from_ref(&only.hull), iteration));
    check_between(&only.between);
    assert!(!relation.footprints.is_empty() || only.between.is_empty());
}

/// Whether a point is in exactly one of some systems; in two, the test fails.
fn holds(systems: &[System], point: &[i128]) -> bool {
    let inside = systems.iter().filter(|x| x.contains(point).expect("small"));
    let count = inside.count();
    assert!(count < 2, "the systems are disjoint");
    count == 1
}

fn touches(
    relation: &ReuseRelation,
    segments: &[Segment],
    iteration: &[i128],
    line: &(LineSpaceId, Vec<i128>),
) -> bool {
    segments.iter().any(|segment| {
        let key = (segment.node, segment.part, line.0);
        let systems = relation.footprints.get(&key).map_or(&[][..], Vec::as_slice);
        let mut point: Vec<i128> = segment
            .map
            .iter()
            .map(|form| form.at(iteration).expect("small"))
            .collect();
        point.extend(&line.1);
        holds(systems, &point)
    })
}

#[test]
fn matrix_product() {
    let body = vec![
        Touch(0, vec![&[0, 1], &[0, 0, 0, 1]]),
        Touch(1, vec![&[0, 1], &[0, 0, 1]]),
        Touch(2, vec![&[0, 0, 1], &[0, 0, 0, 1]]),
    ];
    check(
        &[up(
            &[0],
            &[3],
            vec![
                up(&[0], &[4], vec![Touch(0, vec![&[0, 1], &[0, 0, 1]])]),
                up(&[0], &[2], vec![up(&[0], &[4], body)]),
            ],
        )],
        &[2, 2, 2],
    );
}

#[test]
fn triangles_with_a_stencil() {
    check(
        &[
            up(
                &[0],
                &[5],
                vec![up(
                    &[0, 1],
                    &[5],
                    vec![
                        Touch(0, vec![&[-1, 1], &[0, 0, 1]]),
                        Touch(0, vec![&[0, 1], &[1, 0, 1]]),
                        Touch(0, vec![&[0, 0, 1], &[0, 1]]),
                    ],
                )],
            ),
            up(&[0], &[4], vec![Touch(0, vec![&[0, 1], &[0, 1]])]),
        ],
        &[2],
    );
}

#[test]
fn descending_and_strip_mined() {
    // for (i = 6; 0 <= i; i--) for b, o: A[4b + o], lines of four; and a reference that skips.
    check(
        &[For(
            &[0],
            &[4],
            Descending,
            vec![
                up(
                    &[0],
                    &[2],
                    vec![up(
                        &[0],
                        &[3],
                        vec![Touch(0, vec![&[0, 0, 1]]), Touch(0, vec![&[1, 0, 1]])],
                    )],
                ),
                Touch(0, vec![&[1]]),
                Touch(1, vec![&[0, 1]]),
            ],
        )],
        &[1, 1],
    );
}

#[test]
fn time_steps_of_two_arrays() {
    let step = |from: usize, to: usize| {
        up(
            &[1],
            &[5],
            vec![
                Touch(from, vec![&[-1, 0, 1]]),
                Touch(from, vec![&[0, 0, 1]]),
                Touch(from, vec![&[1, 0, 1]]),
                Touch(to, vec![&[0, 0, 1]]),
            ],
        )
    };
    check(&[up(&[0], &[3], vec![step(0, 1), step(1, 0)])], &[1, 1]);
}
