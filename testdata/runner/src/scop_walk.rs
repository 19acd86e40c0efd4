//! Executes a scop point by point, and compares it with the trace engine.
//!
//! The walk knows the scop's types and nothing of how it came about: it takes the loops in order,
//! each over all values that the domains below leave it, and asks every piece whether it holds the
//! point.

use premiss_presburger::Column;
use premiss_scop::{Access, Direction, LineSpaceId, Node, NodeId, NodeKind, Piece, Scop};
use premiss_trace::Execution;
use premiss_tree::{NestTree, ParameterId, ReferenceId};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Columns are tried from minus this to this.
const BOX: i128 = 4096;
/// Accesses that are compared.
const ACCESSES: usize = 10_000;
/// Points that are visited: in some random nests, nearly all iterations access nothing.
const POINTS: usize = 20_000_000;

/// An access of a scop: who makes it, to which array, and the coordinates of its line.
pub type LineTouch = (ReferenceId, LineSpaceId, Vec<i128>);

/// The accesses of a scop in order of execution, some ten thousand at the most, for these values of its columns of parameters;
/// and whether no others were left out because they lie behind too many points that access nothing.
///
/// # Panics
/// Two pieces of an access hold the same point, or a coordinate is out of its range.
#[must_use]
pub fn accesses(scop: &Scop, parameters: &[i128]) -> (Vec<LineTouch>, bool) {
    let mut walk = Walk {
        scop,
        point: parameters.to_vec(),
        touches: Vec::new(),
        n_points: 0,
    };
    for root in &scop.roots {
        walk.node(*root);
    }
    (walk.touches, walk.n_points < POINTS)
}

struct Walk<'a> {
    scop: &'a Scop,
    point: Vec<i128>,
    touches: Vec<LineTouch>,
    n_points: usize,
}

impl Walk<'_> {
    fn node(&mut self, id: NodeId) {
        if ACCESSES <= self.touches.len() || POINTS <= self.n_points {
            return;
        }
        let node: &Node = &self.scop.nodes[id];
        assert_eq!(
            node.depth + self.scop.parameters.len(),
            self.point.len(),
            "{id} is as deep as it says"
        );
        match &node.kind {
            NodeKind::Access(access) => self.access(access),
            NodeKind::Loop {
                direction,
                range,
                children,
                ..
            } => {
                let (first, last) = self.extremes(id, *range);
                // There may be billions of them.
                let values: Box<dyn Iterator<Item = i128>> = match direction {
                    Direction::Ascending => Box::new(first..=last),
                    Direction::Descending => Box::new((first..=last).rev()),
                };
                for value in values {
                    if ACCESSES <= self.touches.len() || POINTS <= self.n_points {
                        return;
                    }
                    self.point.push(value);
                    children.iter().for_each(|child| self.node(*child));
                    self.point.pop();
                }
            }
        }
    }

    fn access(&mut self, access: &Access) {
        self.n_points += 1;
        let mut found: Option<Vec<i128>> = None;
        for piece in &access.pieces {
            if !piece.domain.contains(&self.point).expect("fits") {
                continue;
            }
            let line = piece
                .line
                .iter()
                .map(|form| form.at(&self.point).expect("fits"));
            let previous = found.replace(line.collect());
            assert_eq!(previous, None, "one piece holds {:?}", self.point);
        }
        if let Some(line) = found {
            let space = &self.scop.spaces[access.space];
            assert_eq!(line.len(), space.coordinates.len());
            for (value, coordinate) in line.iter().zip(&space.coordinates) {
                if let Some((first, last)) = coordinate.range {
                    let range = i128::from(first)..=i128::from(last);
                    assert!(range.contains(value), "{value} is in {range:?}");
                }
            }
            self.touches.push((access.reference, access.space, line));
        }
    }

    /// The least and greatest value of a loop's column for which something below may execute.
    fn extremes(&self, id: NodeId, range: Option<(i64, i64)>) -> (i128, i128) {
        if let Some((first, last)) = range {
            return (i128::from(first), i128::from(last));
        }
        let mut hull = (BOX, -BOX);
        self.hull(id, &mut Vec::new(), &mut hull);
        hull
    }

    fn hull(&self, id: NodeId, below: &mut Vec<Option<(i64, i64)>>, hull: &mut (i128, i128)) {
        match &self.scop.nodes[id].kind {
            NodeKind::Loop {
                range, children, ..
            } => {
                below.push(*range);
                for child in children {
                    self.hull(*child, below, hull);
                }
                below.pop();
            }
            NodeKind::Access(access) => {
                for piece in &access.pieces {
                    let (first, last) = self.interval(piece, &below[1..]);
                    if first <= last {
                        *hull = (hull.0.min(first), hull.1.max(last));
                    }
                }
            }
        }
    }

    /// The values of the next column that a piece leaves, as far as forms without unbounded columns
    /// say; empty where nothing does.
    fn interval(&self, piece: &Piece, below: &[Option<(i64, i64)>]) -> (i128, i128) {
        let n = self.point.len();
        let (mut first, mut last) = (-BOX, BOX);
        let negated = piece
            .domain
            .equalities
            .iter()
            .map(|x| x.times(-1).expect("fits"));
        let equal = piece.domain.equalities.iter().cloned().chain(negated);
        'forms: for form in piece.domain.inequalities.iter().cloned().chain(equal) {
            let mut most = i128::from(form.constant_term());
            for (column, value) in self.point.iter().enumerate() {
                most += i128::from(form.coefficient(Column::at_place(column))) * value;
            }
            for (idx, range) in below.iter().enumerate() {
                let coefficient = i128::from(form.coefficient(Column::at_place(n + 1 + idx)));
                match range {
                    _ if coefficient == 0 => {}
                    Some((a, b)) => {
                        most += (coefficient * i128::from(*a)).max(coefficient * i128::from(*b));
                    }
                    None => continue 'forms,
                }
            }
            let own = i128::from(form.coefficient(Column::at_place(n)));
            match own.signum() {
                0 if most < 0 => return (BOX, -BOX),
                0 => {}
                1 => first = first.max(-most.div_euclid(own)),
                _ => last = last.min(most.div_euclid(-own)),
            }
        }
        (first, last)
    }
}

/// What is compared: a tree with its arrays placed, and what was asked of lowering.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'a> {
    /// The tree.
    pub tree: &'a NestTree,
    /// Its arrays placed, at its sizes.
    pub execution: &'a Execution<'a>,
    /// The sizes.
    pub sizes: &'a BTreeMap<ParameterId, i64>,
    /// What became of it.
    pub scop: &'a Scop,
}

impl Comparison<'_> {
    /// The values of the scop's columns of parameters; `None` where its context is without them.
    ///
    /// # Panics
    /// A size is not of its class.
    #[must_use]
    pub fn parameters(&self) -> Option<Vec<i128>> {
        let mut values = Vec::new();
        for parameter in &self.scop.parameters {
            let given = self.sizes.get(&parameter.id).copied();
            let size = given.or(self.tree.parameters[parameter.id].value);
            let size = size.expect("a size for each column");
            assert_eq!(size.rem_euclid(parameter.factor), parameter.residue);
            values.push(i128::from(size.div_euclid(parameter.factor)));
        }
        let is_inside = self.scop.context.contains(&values).expect("fits");
        is_inside.then_some(values)
    }

    /// Where the scop and the trace engine differ; `None` where they agree, for as many accesses as
    /// are compared.
    ///
    /// # Panics
    /// As [`accesses`] does.
    #[must_use]
    pub fn difference(&self) -> Option<String> {
        let values = self.parameters()?;
        let line_size = self.scop.line_size;
        let mut expected = Vec::new();
        let shown = self.execution.for_each_access(&mut |access| {
            let lines = access.address.map(|address| {
                let last = address + u64::from(access.size).max(1) - 1;
                (address / line_size, last / line_size)
            });
            expected.push((access.reference, access.certain, lines));
            if expected.len() < ACCESSES {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        if let Err(error) = shown {
            return Some(format!("the engine fails: {error}"));
        }
        let (found, is_whole) = accesses(self.scop, &values);
        if is_whole && found.len() != expected.len() && expected.len() < ACCESSES {
            return Some(format!("{} accesses, not {}", found.len(), expected.len()));
        }
        compare(&expected, &found).or_else(|| self.wrong_weight(&values, (&expected, &found)))
    }

    /// Where the weights of coordinates say another line than the trace engine, for arrays that start with a line.
    fn wrong_weight(
        &self,
        sizes: &[i128],
        (expected, found): (&[Expected], &[LineTouch]),
    ) -> Option<String> {
        let line_size = self.scop.line_size;
        for ((_, _, line), (reference, space, name)) in expected.iter().zip(found) {
            let space = &self.scop.spaces[*space];
            let base = self.execution.bases()[space.array];
            let terms = space.coordinates.iter().zip(name);
            let terms = terms.map(|(coordinate, x)| {
                let weight = coordinate.weight.as_ref()?.at(sizes).ok()?;
                Some(weight.to_integer()? * x)
            });
            let Some(offset) = terms.sum::<Option<i128>>() else {
                continue;
            };
            let weighed = i128::from(base / line_size) + offset;
            if base.is_multiple_of(line_size) && line.map(|x| i128::from(x.0)) != Some(weighed) {
                return Some(format!(
                    "{reference}: {name:?} is line {line:?}, and not {weighed}"
                ));
            }
        }
        None
    }
}

type Expected = (ReferenceId, bool, Option<(u64, u64)>);

fn compare(expected: &[Expected], found: &[LineTouch]) -> Option<String> {
    let mut names: BTreeMap<u64, (LineSpaceId, &[i128])> = BTreeMap::new();
    let mut lines: BTreeMap<(LineSpaceId, &[i128]), u64> = BTreeMap::new();
    for (idx, ((reference, certain, line), (found, space, name))) in
        expected.iter().zip(found).enumerate()
    {
        if reference != found {
            return Some(format!("access {idx} is by {found}, not {reference}"));
        }
        let line = match line {
            Some((first, last)) if first == last && *certain => *first,
            _ => return Some(format!("access {idx} is uncertain or straddles lines")),
        };
        let name = (*space, name.as_slice());
        let known = *names.entry(line).or_insert(name);
        let own = *lines.entry(name).or_insert(line);
        if known != name || own != line {
            return Some(format!(
                "access {idx} by {reference} to line {line} is named {name:?}; \
                 the line is known as {known:?}, and the name belongs to {own}"
            ));
        }
    }
    None
}
