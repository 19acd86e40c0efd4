//! Pages of one array, named by where they start.
//!
//! Rows of 1,000 elements are no multiple of a page of 512: it takes 64 rows until a page starts with a row again, and
//! [`lower`](crate::lower) would distinguish 64 · 512 places. Here a page is named by the element that it starts with:
//! its row `k`, and its place `o` within it. An access to `A[i][j]` touches that page if `i = k` and `o <= j < o + 512`, or
//! if `i = k + 1` and `o <= j + 1000 < o + 512`. All of this is affine, once `k` and `o` are parameters like sizes; that
//! only some elements start a page matters when accesses are counted, and not before.

use crate::reject::Obstacle;
use crate::scop::{
    Access, LineCoordinate, LineSpace, LineSpaceId, Node, NodeId, NodeKind, Piece, Scop,
    SymbolicParameter,
};
use premiss_arithmetic::div_ceil;
use premiss_presburger::{Affine, Column, Refusal, System};
use premiss_tree::{EntityRef, ParameterId};

/// A page meets no more rows than this.
const MOST_ROWS: usize = 16;

/// A scop of elements in which any page of one array may be the one that matters.
#[derive(Clone, Debug)]
pub struct PageScop {
    /// The elements of all arrays, and before each access to an element of the array one to the page, if the element is
    /// in it. Its parameters are the coordinates of the element that the page starts with.
    pub scop: Scop,
    /// The space whose one line is the page.
    pub page: LineSpaceId,
    /// The space of the array's elements.
    pub array: LineSpaceId,
    /// How many elements a step of each parameter is.
    pub weights: Vec<i64>,
    rows: PageRows,
}

impl PageScop {
    /// The elements of the page, as systems over so many columns of which the first are the parameters, and then the
    /// coordinates of the array's elements.
    ///
    /// # Errors
    /// A coefficient does not fit 64 bits.
    pub fn elements(&self, columns: usize) -> Result<Vec<System>, Refusal> {
        let coordinates = self.scop.spaces[self.array].coordinates.len();
        let variables = columns + coordinates;
        let domain = System::universe(variables);
        let own = Column::variables(variables).skip(columns);
        let piece = Piece {
            line: own.map(|x| Affine::variable(1 + variables, x)).collect(),
            domain,
        };
        let mut pieces = Vec::new();
        self.rows.touches(&piece, &mut pieces)?;
        let mut systems = Vec::new();
        for piece in pieces {
            let mut system = piece.domain;
            let last = self.rows.weights.len();
            for idx in last..coordinates {
                // It has one value.
                let column = Column::at_place(columns + idx);
                system
                    .equalities
                    .push(Affine::variable(1 + variables, column));
            }
            system.require(&self.rows.names(variables, columns)?);
            systems.push(system);
        }
        Ok(systems)
    }
}

/// The pages, of so many elements each, of one array of a scop without parameters whose lines are elements.
///
/// # Errors
/// The array's coordinates have no weights, or a page has too many rows.
pub fn page_scop(elements: &Scop, array: LineSpaceId, page: i64) -> Result<PageScop, Obstacle> {
    assert!(elements.parameters.is_empty(), "sizes have values");
    let coordinates = elements.spaces[array].coordinates.iter();
    let coordinates = coordinates.filter(|x| x.range != Some((0, 0)));
    let weights: Option<Vec<i64>> = coordinates.map(LineCoordinate::constant_weight).collect();
    let weights = weights.ok_or(Obstacle::NonAffine)?;
    let rows = PageRows::new(&weights, page)?;
    let more = rows.weights.len();
    let mut scop = elements.clone();
    scop.parameters = (0..more).map(coordinate).collect();
    scop.context = rows.names(more, 0)?;
    let space = scop.spaces.push(LineSpace {
        array: elements.spaces[array].array,
        coordinates: Vec::new(),
    });
    for node in scop.nodes.values_mut() {
        if let NodeKind::Access(access) = &mut node.kind {
            for piece in &mut access.pieces {
                piece.domain = with_more_columns(&piece.domain, more);
                let shift = |form: &Affine| with_more(form, more);
                piece.line = piece.line.iter().map(shift).collect();
            }
        }
    }
    let ids: Vec<NodeId> = elements.nodes.keys().collect();
    for id in ids {
        let node = &scop.nodes[id];
        let NodeKind::Access(access) = &node.kind else {
            continue;
        };
        if access.space != array {
            continue;
        }
        let mut pieces = Vec::new();
        for piece in &access.pieces {
            rows.touches(piece, &mut pieces)?;
        }
        let own = Node {
            parent: node.parent,
            depth: node.depth,
            kind: NodeKind::Access(Access {
                reference: access.reference,
                certainty: access.certainty,
                space,
                pieces,
            }),
        };
        let parent = node.parent;
        let own = scop.nodes.push(own);
        let siblings = match parent.map(|parent| &mut scop.nodes[parent].kind) {
            Some(NodeKind::Loop { children, .. }) => children,
            _ => &mut scop.roots,
        };
        let place = siblings.iter().position(|sibling| *sibling == id);
        siblings.insert(place.unwrap_or(0), own);
    }
    Ok(PageScop {
        scop,
        page: space,
        array,
        weights,
        rows,
    })
}

/// A parameter that is a coordinate and no size of the program.
fn coordinate(idx: usize) -> SymbolicParameter {
    SymbolicParameter {
        id: ParameterId::new(idx),
        factor: 1,
        residue: 0,
    }
}

/// The rows of an array that a page meets.
#[derive(Clone, Debug)]
struct PageRows {
    weights: Vec<i64>,
    page: i64,
    /// Elements of the page by coordinates, relative to its first: all but the last coordinate, and how many elements
    /// they are behind it.
    rows: Vec<(Vec<i64>, i64)>,
}

impl PageRows {
    fn new(weights: &[i64], page: i64) -> Result<Self, Obstacle> {
        let mut rows = Self {
            weights: weights.to_vec(),
            page,
            rows: Vec::new(),
        };
        rows.add(&mut Vec::new(), 0)?;
        Ok(rows)
    }

    /// How many values a coordinate has at most, all but the first.
    fn extent(&self, idx: usize) -> i64 {
        div_ceil(self.weights[idx - 1], self.weights[idx])
    }

    /// Adds the rows whose first coordinates are `before`, so many elements behind the first row.
    fn add(&mut self, before: &mut Vec<i64>, behind: i64) -> Result<(), Obstacle> {
        let idx = before.len();
        // What the other coordinates may make up for.
        let rest: i64 = (idx + 1..self.weights.len())
            .map(|x| (self.extent(x) - 1) * self.weights[x])
            .sum();
        if idx + 1 == self.weights.len() {
            self.rows.push((before.clone(), behind));
            return match self.rows.len() <= MOST_ROWS {
                true => Ok(()),
                false => Err(Obstacle::Cases(MOST_ROWS)),
            };
        }
        let weight = self.weights[idx];
        let (mut lo, mut hi) = (
            -(behind + rest).div_euclid(weight),
            (self.page - 1 + rest - behind).div_euclid(weight),
        );
        if 0 < idx {
            let most = self.extent(idx) - 1;
            (lo, hi) = (lo.max(-most), hi.min(most));
        }
        for step in lo..=hi {
            before.push(step);
            self.add(before, behind + step * weight)?;
            before.pop();
        }
        Ok(())
    }

    /// The coordinates of elements, from the column of the first one on: all but the first are not negative, and together
    /// less than a step of the coordinate before them, so that each element has one name.
    fn names(&self, variables: usize, first: usize) -> Result<System, Refusal> {
        let mut names = System::universe(variables);
        let mut behind = Affine::constant(1 + variables, 0);
        for idx in (1..self.weights.len()).rev() {
            let own = Affine::variable(1 + variables, Column::at_place(first + idx));
            behind = behind.plus(self.weights[idx], &own)?;
            let one = Affine::constant(1 + variables, 1);
            let rest = behind.times(-1)?.plus(self.weights[idx - 1] - 1, &one)?;
            names.inequalities.extend([own, rest]);
        }
        Ok(names)
    }

    /// The iterations of a piece that touch the page.
    fn touches(&self, piece: &Piece, pieces: &mut Vec<Piece>) -> Result<(), Refusal> {
        let width = piece.domain.columns();
        let one = Affine::constant(width, 1);
        let line = &piece.line[..self.weights.len()];
        let (last, others) = line.split_last().ok_or(Refusal::Failed)?;
        for (steps, behind) in &self.rows {
            let mut domain = piece.domain.clone();
            domain.require(&self.names(self.weights.len(), 0)?);
            for (idx, (form, step)) in others.iter().zip(steps).enumerate() {
                let start = Affine::variable(width, Column::at_place(idx));
                let row = form.widened(width).plus(-1, &start)?.plus(-step, &one)?;
                domain.equalities.push(row);
            }
            let start = Affine::variable(width, Column::at_place(others.len()));
            let place = last.widened(width).plus(-1, &start)?.plus(*behind, &one)?;
            let rest = place.times(-1)?.plus(self.page - 1, &one)?;
            domain.inequalities.extend([place, rest]);
            if !domain.is_infeasible() {
                pieces.push(Piece {
                    domain,
                    line: Vec::new(),
                });
            }
        }
        Ok(())
    }
}

/// The same points whatever some more first columns are.
fn with_more_columns(system: &System, more: usize) -> System {
    let mut wider = system.clone();
    wider.variables += more;
    let shift = |form: &mut Affine| *form = with_more(form, more);
    for floor in &mut wider.floors {
        floor.numerator = with_more(&floor.numerator, more);
    }
    wider.equalities.iter_mut().for_each(shift);
    wider.inequalities.iter_mut().for_each(shift);
    wider
}

fn with_more(form: &Affine, more: usize) -> Affine {
    let (constant, variables) = form.coefficients().split_at(1);
    Affine::new([constant, &vec![0; more], variables].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All coordinates with these weights, of elements before `end`.
    fn elements(weights: &[i64], end: i64) -> Vec<Vec<i128>> {
        let mut all = vec![Vec::new()];
        for _ in weights {
            let longer = all
                .iter()
                .flat_map(|names| (0..end).map(move |x| [&names[..], &[i128::from(x)]].concat()));
            all = longer.collect();
        }
        all.retain(|names| place(weights, names) < i128::from(end));
        all
    }

    fn place(weights: &[i64], names: &[i128]) -> i128 {
        let terms = weights.iter().zip(names);
        terms.map(|(weight, x)| i128::from(*weight) * x).sum()
    }

    #[test]
    fn a_page_is_named_once_and_touched_by_its_own_elements() {
        // Rows of pages, of parts of them, and of a column of pairs, the last of which has one element in the row.
        for (weights, page) in [
            (&[6, 1][..], 4),
            (&[3, 1], 8),
            (&[7, 2, 1], 8),
            (&[12, 4, 1], 5),
        ] {
            let rows = PageRows::new(weights, page).expect("it is small");
            let names = rows.names(weights.len(), 0).expect("it is small");
            let own = elements(weights, 40).into_iter();
            let own = own.filter(|x| names.contains(x) == Ok(true));
            let own: Vec<Vec<i128>> = own.collect();
            let places: Vec<i128> = own.iter().map(|x| place(weights, x)).collect();
            let mut sorted = places.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..40).collect::<Vec<_>>(), "{weights:?}");
            // An access to any element: its coordinates are loops.
            let rank = weights.len();
            let columns = Column::variables(2 * rank).skip(rank);
            let piece = Piece {
                line: columns.map(|x| Affine::variable(1 + 2 * rank, x)).collect(),
                domain: System::universe(2 * rank),
            };
            let mut pieces = Vec::new();
            rows.touches(&piece, &mut pieces).expect("it is small");
            for (start, first) in own.iter().zip(&places) {
                for (element, at) in own.iter().zip(&places) {
                    let point = [&start[..], element].concat();
                    let holds = |piece: &&Piece| piece.domain.contains(&point) == Ok(true);
                    let n_touches = pieces.iter().filter(holds).count();
                    let is_in = (*first..first + i128::from(page)).contains(at);
                    assert_eq!(
                        n_touches,
                        usize::from(is_in),
                        "{weights:?}: {start:?}, {element:?}"
                    );
                }
            }
        }
    }
}
