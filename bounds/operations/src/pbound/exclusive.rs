//! What each loop does itself in the convention of PBound, without the loops inside: the numbers of all loops, of
//! what stands outside of them, and the scalars add up to those of the function.
//!
//! ```text
//! for (i = 0; i < m; i++) {           itself: m stores, 2m + 1 operations
//!     y[i] = 0.0;
//!     for (j = 0; j < n; j++)         itself: 3mn loads, mn stores, 2mn + m operations on integers, mn on reals
//!         y[i] += a[i][j] * x[j];
//! }
//! ```

use crate::counts::ElementKind;
use crate::derive::Places;
use crate::forms::Form;
use crate::marked::ExecutionCount;
use premiss_presburger::{Refusal, united};
use premiss_tree::{AccessKind, Arithmetic, LoopId, NestTree, Node, ReferenceId};
use std::collections::BTreeMap;

/// Integers loaded and stored, real numbers loaded and stored, operations on integers and on real numbers, in the
/// order of PBound's own log.
pub type PboundRow = [u64; 6];

/// The counts of what one loop does itself, in the order of [`PboundRow`].
#[derive(Clone, PartialEq, Debug)]
pub struct PboundPart {
    /// The loop; `None` for what stands outside of all loops.
    pub inside: Option<LoopId>,
    /// What certainly runs.
    pub certain: [Form; 6],
    /// The most of what else may run, as data decide.
    pub possible: [Form; 6],
}

/// The counts of one execution of a node itself; zeros where it is neither an access nor arithmetic.
#[must_use]
pub fn pbound_row(tree: &NestTree, node: &Node) -> PboundRow {
    match node {
        Node::Access(id) => row_of_access(tree, *id),
        Node::Operations(id) => row_of_arithmetic(&tree.work.operations[*id].arithmetic),
        _ => [0; 6],
    }
}

/// The counts of the header of a loop for each iteration. Each entry of the loop adds [`PBOUND_ENTRY`].
#[must_use]
pub fn pbound_header(tree: &NestTree, id: LoopId) -> PboundRow {
    let performed = tree.work.headers[id].performed.iter();
    let integers = performed.filter(|(operation, _)| !operation.operands.is_floating());
    [
        0,
        0,
        0,
        0,
        integers.map(|(_, each)| u64::from(*each)).sum(),
        0,
    ]
}

/// The counts of entering a loop: one operation on integers.
pub const PBOUND_ENTRY: PboundRow = [0, 0, 0, 0, 1, 0];

fn row_of_access(tree: &NestTree, id: ReferenceId) -> PboundRow {
    let mut row = [0; 6];
    let real = match ElementKind::of(tree, id) {
        ElementKind::Integer => 0,
        ElementKind::Floating => 2,
    };
    let store = match tree.references[id].kind {
        AccessKind::Load => 0,
        AccessKind::Store => 1,
    };
    row[real + store] = 1;
    row
}

fn row_of_arithmetic(arithmetic: &Arithmetic) -> PboundRow {
    let mut row = [0; 6];
    for (operation, each) in &arithmetic.performed {
        let column = if operation.operands.is_floating() {
            5
        } else {
            4
        };
        row[column] += u64::from(*each);
    }
    let fused: u32 = arithmetic.fused.values().sum();
    row[5] = row[5].saturating_sub(u64::from(fused));
    row
}

/// The counts of what each loop does itself, and, at the key `None`, of what stands outside of all loops; the value is
/// `None` where they are unknown. Scalars are left out.
///
/// # Errors
/// [`Refusal::Overflow`] where a coefficient does not fit.
pub fn pbound_parts(
    tree: &NestTree,
    places: &Places,
) -> Result<BTreeMap<Option<LoopId>, Option<PboundPart>>, Refusal> {
    let mut parts = BTreeMap::new();
    for (inside, rows) in rows(tree, places) {
        parts.insert(inside, part(places, inside, &rows)?);
    }
    for inside in &places.marked.innermost_open_loops {
        parts.insert(*inside, None);
    }
    Ok(parts)
}

/// For each place that belongs to one loop, the counts of one execution.
type PboundRows = BTreeMap<ReferenceId, PboundRow>;

fn rows(tree: &NestTree, places: &Places) -> BTreeMap<Option<LoopId>, PboundRows> {
    let marked = &places.marked;
    let mut all: BTreeMap<Option<LoopId>, PboundRows> = BTreeMap::new();
    let mut add = |inside: Option<LoopId>, places: &[ReferenceId], row: PboundRow| {
        let of_loop = all.entry(inside).or_default();
        for place in places {
            let known = of_loop.entry(*place).or_insert([0; 6]);
            known
                .iter_mut()
                .zip(row)
                .for_each(|(sum, each)| *sum += each);
        }
    };
    for (id, places) in &marked.operations {
        let inside = tree.work.operations[*id].inside;
        add(inside, places, pbound_row(tree, &Node::Operations(*id)));
    }
    for (id, places) in &marked.references {
        let inside = tree.references[*id].inside;
        add(inside, places, pbound_row(tree, &Node::Access(*id)));
    }
    for (id, places) in &marked.bodies {
        add(Some(*id), places, pbound_header(tree, *id));
    }
    for (id, places) in &marked.entries {
        add(Some(*id), places, PBOUND_ENTRY);
    }
    all
}

fn part(
    places: &Places,
    inside: Option<LoopId>,
    rows: &PboundRows,
) -> Result<Option<PboundPart>, Refusal> {
    let [mut certain, mut possible]: [[Vec<_>; 6]; 2] = Default::default();
    for (place, row) in rows {
        let forms = match places.kind(*place) {
            ExecutionCount::Certain => &mut certain,
            ExecutionCount::Possible => &mut possible,
            ExecutionCount::Unknown => return Ok(None),
        };
        for (pieces, each) in forms.iter_mut().zip(row).filter(|(_, each)| 0 < **each) {
            pieces.extend(places.times(*place, *each)?);
        }
    }
    let forms = |all: [Vec<_>; 6]| all.map(|pieces| Form::of_pieces(united(pieces)));
    Ok(Some(PboundPart {
        inside,
        certain: forms(certain),
        possible: forms(possible),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_tree::{Operands, Operation, OperationKind, Role};

    fn arithmetic(rows: &[(OperationKind, Operands, u32)], n_fused: u32) -> Arithmetic {
        let row = |(kind, operands, each): &(OperationKind, Operands, u32)| {
            let operation = Operation {
                kind: kind.clone(),
                operands: *operands,
                role: Role::Data,
            };
            (operation, *each)
        };
        let fused = (0 < n_fused).then_some((Operands::Floating(8), n_fused));
        Arithmetic {
            performed: rows.iter().map(row).collect(),
            fused: fused.into_iter().collect(),
            ..Arithmetic::default()
        }
    }

    #[test]
    fn a_product_that_is_added_is_one_operation_with_its_sum() {
        let double = Operands::Floating(8);
        // y + a1·x1 + a2·x2 + a3·x3 + a4·x4
        let rows = [
            (OperationKind::Multiply, double, 4),
            (OperationKind::Add, double, 4),
        ];
        assert_eq!(row_of_arithmetic(&arithmetic(&rows, 4)), [0, 0, 0, 0, 0, 4]);
        assert_eq!(row_of_arithmetic(&arithmetic(&rows, 0)), [0, 0, 0, 0, 0, 8]);
    }

    #[test]
    fn subscripts_count_as_integers_and_complex_numbers_as_real_ones() {
        let rows = [
            (OperationKind::Add, Operands::Integer(64), 2),
            (OperationKind::Multiply, Operands::Integer(32), 1),
            (OperationKind::Divide, Operands::Complex(8), 5),
        ];
        assert_eq!(row_of_arithmetic(&arithmetic(&rows, 0)), [0, 0, 0, 0, 3, 5]);
        assert_eq!(row_of_arithmetic(&Arithmetic::default()), [0; 6]);
    }
}
