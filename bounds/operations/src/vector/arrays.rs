//! Elements of arrays that go from one iteration to a later one.

use super::slice::{Retention, occurrences, slice};
use super::{Carried, Hindrance};
use premiss_dataflow::{Backward, backward};
use premiss_scop::{ArrayLayout, ExpressionSite, Obstacle, Reject, Scop, ScopOptions, Size, lower};
use premiss_tree::{
    AccessKind, ArrayId, Combination, Expression, Loop, NestTree, Node, ParameterId, ReferenceId,
    VariableId,
};
use std::collections::{BTreeMap, BTreeSet};

/// No machine has vectors of more lanes than 64, one byte each.
const REACH: i64 = 63;
/// The greatest number of references of a loop that are compared with each other.
const MOST_REFERENCES: usize = 48;

/// What is found of the arrays of a loop.
pub(super) struct Examined {
    /// Elements that are reduced, by their text.
    pub(super) reduced: BTreeSet<String>,
    /// The dependence that limits how many lanes there are.
    pub(super) most: Option<Carried>,
}

/// Examines the arrays that a loop stores to.
///
/// # Errors
/// A hindrance: the next iteration may touch what one touches, or the arrays are not understood.
pub(super) fn examined(
    tree: &NestTree,
    bare: &mut NestTree,
    inner: &Loop,
    budget: u64,
) -> Result<Examined, Hindrance> {
    let nothing = Examined {
        reduced: BTreeSet::new(),
        most: None,
    };
    let wanted = of_stored_arrays(tree, inner);
    if wanted.is_empty() {
        return Ok(nothing);
    }
    check_places(tree, &wanted)?;
    let scops = scops(tree, bare, inner, &wanted)?;
    let kind_of = |id: ReferenceId| tree.references[id].kind;
    let mut found = Vec::new();
    for scop in &scops {
        let more = backward(scop, kind_of, inner.id, REACH, budget);
        let more = more.map_err(|_| Hindrance::Unknown("its dependences take too long to find"))?;
        found.extend(more);
    }
    let groups = reductions(tree, inner, &wanted);
    let mut examined = nothing;
    for dependence in found {
        let group = |id: ReferenceId| groups.get(&id);
        match (group(dependence.source), group(dependence.sink)) {
            (Some(one), Some(other)) if one == other => {
                examined.reduced.insert(tree.references[*one].text.clone());
            }
            _ => limit(&mut examined.most, dependence),
        }
    }
    match examined.most {
        Some(carried) if carried.distance <= 1 => Err(Hindrance::Carried(carried)),
        _ => Ok(examined),
    }
}

/// Keeps the nearer dependence; flow dependences come before others.
fn limit(most: &mut Option<Carried>, found: Backward) {
    let nearer = |known: &Carried| (known.distance, known.kind) <= (found.distance, found.kind);
    if !most.as_ref().is_some_and(nearer) {
        *most = Some(Carried {
            source: found.source,
            sink: found.sink,
            kind: found.kind,
            distance: found.distance,
        });
    }
}

/// The references in a loop to arrays that it stores to.
fn of_stored_arrays(tree: &NestTree, inner: &Loop) -> BTreeSet<ReferenceId> {
    let mut all = BTreeSet::new();
    for node in &inner.body {
        node.walk(&mut |node| {
            if let Node::Access(id) = node {
                all.insert(*id);
            }
        });
    }
    let stores = all
        .iter()
        .filter(|id| tree.references[**id].kind == AccessKind::Store);
    let stored: BTreeSet<ArrayId> = stores.map(|id| tree.references[*id].array).collect();
    all.retain(|id| stored.contains(&tree.references[*id].array));
    all
}

/// Refuses places that data decide, elements of several lengths, and more than can be compared.
fn check_places(tree: &NestTree, wanted: &BTreeSet<ReferenceId>) -> Result<(), Hindrance> {
    let mut length_of = BTreeMap::new();
    for id in wanted {
        let reference = &tree.references[*id];
        if reference.offset.any(|part| *part == Expression::Data) {
            return Err(by_data(tree, wanted, *id));
        }
        if *length_of.entry(reference.array).or_insert(reference.size) != reference.size {
            return Err(Hindrance::Unknown(
                "an array has elements of several lengths",
            ));
        }
    }
    match wanted.len() <= MOST_REFERENCES {
        true => Ok(()),
        false => Err(Hindrance::Unknown("it has too many references to compare")),
    }
}

/// The hindrance of a place that data decide: of a load and a store to the same place, that of the store.
fn by_data(tree: &NestTree, wanted: &BTreeSet<ReferenceId>, id: ReferenceId) -> Hindrance {
    let own = &tree.references[id];
    let is_store = |other: &&ReferenceId| {
        let other = &tree.references[**other];
        other.kind == AccessKind::Store && other.array == own.array && other.offset == own.offset
    };
    match wanted.iter().find(is_store) {
        Some(store) => Hindrance::Scatter(*store),
        None => Hindrance::Gather(id),
    }
}

/// The loop as sets, one scop for each length of elements, with as much of what is around as can be.
fn scops(
    tree: &NestTree,
    bare: &mut NestTree,
    inner: &Loop,
    wanted: &BTreeSet<ReferenceId>,
) -> Result<Vec<Scop>, Hindrance> {
    if occurrences(&tree.body, inner.id) != 1 {
        return Err(Hindrance::Unknown("it stands in several branches"));
    }
    let lengths: BTreeSet<u32> = wanted.iter().map(|id| tree.references[*id].size).collect();
    let mut refused = None;
    for kept in [Retention::All, Retention::Headers, Retention::Iterators] {
        let mut scops = Vec::new();
        for length in &lengths {
            let own = wanted
                .iter()
                .filter(|id| tree.references[**id].size == *length);
            bare.parameters.clone_from(&tree.parameters);
            bare.body = slice(&tree.body, inner.id, &own.copied().collect(), kept, bare);
            let scop_options = ScopOptions {
                line_size: u64::from(*length),
                layout: ArrayLayout::Aligned,
                sizes: open_sizes(bare),
            };
            match lower(bare, &scop_options) {
                Ok(scop) => scops.push(scop),
                Err(reject) => refused = Some(reject),
            }
        }
        if scops.len() == lengths.len() {
            return Ok(scops);
        }
    }
    Err(match refused {
        Some(Reject::Expression {
            place: ExpressionSite::Address(id),
            obstacle: Obstacle::Data | Obstacle::Variable(_),
        }) => by_data(tree, wanted, id),
        _ => Hindrance::Unknown("its subscripts are not affine"),
    })
}

/// Sizes without a value may have any that is not negative.
fn open_sizes(bare: &NestTree) -> BTreeMap<ParameterId, Size> {
    let any = Size::Symbolic {
        factor: 1,
        residue: 0,
    };
    let open = bare.parameters.iter().filter(|(_, x)| x.value.is_none());
    open.map(|(id, _)| (id, any)).collect()
}

/// References that do nothing but combine other values with an element that stays the same in the loop:
/// for each the first store of its group.
fn reductions(
    tree: &NestTree,
    inner: &Loop,
    wanted: &BTreeSet<ReferenceId>,
) -> BTreeMap<ReferenceId, ReferenceId> {
    let mut changed = BTreeSet::from([inner.variable]);
    Node::assigned(&inner.body, &mut changed);
    let mut groups: BTreeMap<ArrayId, Vec<(&Expression, Vec<ReferenceId>)>> = BTreeMap::new();
    for id in wanted {
        let reference = &tree.references[*id];
        let of_array = groups.entry(reference.array).or_default();
        let known = of_array
            .iter_mut()
            .find(|(offset, _)| **offset == reference.offset);
        match known {
            Some((_, group)) => group.push(*id),
            None => of_array.push((&reference.offset, vec![*id])),
        }
    }
    let mut found = BTreeMap::new();
    for (offset, group) in groups.into_values().flatten() {
        if stays(offset, &changed) && combination(tree, &group).is_some() {
            let is_store = |id: &&ReferenceId| tree.references[**id].kind == AccessKind::Store;
            let first = group.iter().find(is_store).copied();
            found.extend(group.iter().filter_map(|id| Some((*id, first?))));
        }
    }
    found
}

fn stays(offset: &Expression, changed: &BTreeSet<VariableId>) -> bool {
    !offset.any(|part| matches!(part, Expression::Variable(id) if changed.contains(id)))
}

/// What all stores of a group combine by, where each of its loads is for one of them.
fn combination(tree: &NestTree, group: &[ReferenceId]) -> Option<Combination> {
    let is_store = |id: &&ReferenceId| tree.references[**id].kind == AccessKind::Store;
    let stores: Vec<_> = group.iter().filter(is_store).collect();
    let first = tree.work.updates[**stores.first()?]?;
    let is_same = |id: &&&ReferenceId| tree.work.updates[***id] == Some(first);
    let is_one = stores.iter().all(|id| is_same(&id)) && group.len() == 2 * stores.len();
    is_one.then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_dataflow::DependenceKind;
    use premiss_tree::{BinaryOperator, EntityRef};

    #[test]
    fn the_nearest_dependence_limits_the_lanes_and_a_flow_before_others() {
        let dependence = |kind, distance| Backward {
            source: ReferenceId::new(1),
            sink: ReferenceId::new(0),
            kind,
            distance,
        };
        let (flow, output) = (DependenceKind::Flow, DependenceKind::Output);
        let nearest = |list: &[(DependenceKind, i64)]| {
            let mut most = None;
            for (kind, distance) in list {
                limit(&mut most, dependence(*kind, *distance));
            }
            most.map(|carried| (carried.kind, carried.distance))
        };
        assert_eq!(nearest(&[]), None);
        assert_eq!(
            nearest(&[(flow, 8), (output, 4), (flow, 6)]),
            Some((output, 4))
        );
        assert_eq!(nearest(&[(output, 4), (flow, 4)]), Some((flow, 4)));
        assert_eq!(nearest(&[(flow, 4), (output, 4)]), Some((flow, 4)));
    }

    #[test]
    fn a_place_stays_where_no_variable_of_it_changes() {
        let [inner, outer] = [0, 1].map(VariableId::new);
        let changed = BTreeSet::from([inner]);
        let place = |id: VariableId| {
            let bytes =
                Expression::binary(BinaryOperator::Multiply, Expression::Variable(id), 8.into());
            Expression::binary(BinaryOperator::Add, bytes, 16.into())
        };
        assert!(stays(&place(outer), &changed) && stays(&16.into(), &changed));
        assert!(!stays(&place(inner), &changed));
    }
}
