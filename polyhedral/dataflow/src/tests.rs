//! Predecessors, footprints, kinds of reuse, dependences: what the definitions say of nests that one can run by hand.

use crate::footprint::Footprints;
use crate::test_scops::{
    Nest, access, down, holds, in_fours, inner, loop_node, points, scop, touch, up, values,
};
use crate::{
    AccessReuse, Dependence, DependenceKind, Locality, NodePart, Reuse, ReuseOrigin, Sign, analyze,
    backward, dependences, distance_vector, kinds, nearest,
};
use premiss_scop::{AccessKind, EntityRef, LineSpaceId, LoopId, NodeId, ReferenceId, Scop};

/// What the analysis says of the access by a reference.
fn reuse_of(scop: &Scop, reference: usize) -> AccessReuse {
    let relation = analyze(scop).expect("it is in the model");
    let sink = access(scop, reference);
    let mut all = relation.accesses.into_iter();
    all.find(|x| x.sink == sink).expect("each has an answer")
}

/// The reuse of an iteration; `None` where it is the first to touch its line.
fn at<'r>(found: &'r AccessReuse, iteration: &[i128]) -> Option<&'r Reuse> {
    let mut reuses = found.reuses.iter();
    let reuse = reuses.find(|reuse| holds(&reuse.domain, iteration));
    assert_eq!(reuse.is_none(), holds(&found.cold, iteration));
    reuse
}

/// The source of an iteration with its own iteration.
fn source(found: &AccessReuse, iteration: &[i128]) -> Option<(NodeId, Vec<i128>)> {
    at(found, iteration).map(|reuse| (reuse.source, values(&reuse.map, iteration)))
}

#[test]
fn the_first_element_of_a_line_is_cold_and_each_other_follows_its_neighbour() {
    // Lines of four elements, and two of the last one: for (i = 0; i < 10; i++) a[i];
    let scop = scop(&[in_fours(0, 10, vec![touch(0, &[&[0, 1]])])]);
    let found = reuse_of(&scop, 0);
    let cold = points(&found.cold, 2);
    assert_eq!(cold, [[0, 0], [1, 0], [2, 0]]);
    let reused: Vec<_> = found.reuses.iter().flat_map(|x| &x.domain).collect();
    assert_eq!(
        points(&reused.into_iter().cloned().collect::<Vec<_>>(), 2).len(),
        7
    );
    for (block, place) in [(0, 1), (1, 3), (2, 1)] {
        let expected = (access(&scop, 0), vec![block, place - 1]);
        assert_eq!(source(&found, &[block, place]), Some(expected));
    }
}

#[test]
fn between_a_line_and_its_last_touch_lies_the_rest_of_the_iteration_before() {
    // for (i = 0; i < 3; i++) { for (j = 0; j < 4; j++) a[j]; b[i]; }
    let rows = inner(1, 0, 3, vec![touch(0, &[&[0, 0, 1]])]);
    let scop = scop(&[up(0, 0, 2, vec![rows, touch(1, &[&[0, 1]])])]);
    let found = reuse_of(&scop, 0);
    assert_eq!(source(&found, &[0, 2]), None);
    let reuse = at(&found, &[2, 1]).expect("the row was there before");
    assert_eq!(
        (reuse.source, reuse.carrier),
        (access(&scop, 0), Some(loop_node(&scop, 0)))
    );
    assert_eq!(values(&reuse.map, &[2, 1]), [1, 1]);
    let segment = |node: NodeId, part: NodePart, map: &[i128]| (node, part, map.to_vec());
    let mut between: Vec<_> = reuse
        .between
        .iter()
        .map(|x| segment(x.node, x.part, &values(&x.map, &[2, 1])))
        .collect();
    between.sort_unstable();
    let row = loop_node(&scop, 1);
    let mut expected = [
        segment(row, NodePart::After, &[1, 1]),
        segment(access(&scop, 1), NodePart::Whole, &[1]),
        segment(row, NodePart::Before, &[2, 1]),
    ];
    expected.sort_unstable();
    assert_eq!(between, expected);
}

#[test]
fn the_last_iteration_of_a_loop_before_is_nearer_than_what_stands_before_the_loop() {
    let one = || touch(0, &[&[0]]);
    let with_loop = |last: i64| scop(&[one(), up(0, 0, last, vec![one()]), one()]);
    for last in [0, 1, 2] {
        let scop = with_loop(last);
        let found = reuse_of(&scop, 2);
        let expected = (access(&scop, 1), vec![i128::from(last)]);
        assert_eq!(source(&found, &[]), Some(expected));
        assert_eq!(at(&found, &[]).expect("it is reused").carrier, None);
        assert_eq!(
            source(&reuse_of(&scop, 1), &[0]),
            Some((access(&scop, 0), vec![]))
        );
    }
    // Without an iteration, the loop touches nothing.
    let scop = with_loop(-1);
    assert_eq!(
        source(&reuse_of(&scop, 2), &[]),
        Some((access(&scop, 0), vec![]))
    );
    let never = reuse_of(&scop, 1);
    assert!(points(&never.cold, 1).is_empty() && never.reuses.is_empty());
}

#[test]
fn a_loop_that_counts_down_has_the_greater_values_before() {
    // for (i = 4; 0 <= i; i--) { a[i]; a[i + 1]; b[0]; }
    let body = vec![
        touch(0, &[&[0, 1]]),
        touch(0, &[&[1, 1]]),
        touch(1, &[&[0]]),
    ];
    let scop = scop(&[down(0, 0, 4, body)]);
    let here = reuse_of(&scop, 0);
    assert_eq!(points(&here.cold, 1).len(), 5);
    let ahead = reuse_of(&scop, 1);
    assert_eq!(points(&ahead.cold, 1), [[4]]);
    assert_eq!(source(&ahead, &[1]), Some((access(&scop, 0), vec![2])));
    let again = reuse_of(&scop, 2);
    assert_eq!(points(&again.cold, 1), [[4]]);
    assert_eq!(source(&again, &[0]), Some((access(&scop, 2), vec![1])));
}

#[test]
fn parts_of_a_loop_touch_the_lines_of_their_own_iterations() {
    // for (i = 0; i <= 5; i++) a[2 * i];
    let walk = |direction: fn(usize, i64, i64, Vec<Nest>) -> Nest| {
        scop(&[direction(0, 0, 5, vec![touch(0, &[&[0, 2]])])])
    };
    let lines = |scop: &Scop, part: NodePart, given: &[i128]| -> Vec<i128> {
        let mut footprints = Footprints::new(scop);
        let set = footprints.part(loop_node(scop, 0), part, LineSpaceId::new(0));
        let set = set.expect("it is small").expect("it touches the array");
        let systems = set.systems().expect("it is small");
        let touched = (-2..=14).filter(|line| holds(&systems, &[given, &[*line]].concat()));
        touched.collect()
    };
    let (ascending, descending) = (walk(up), walk(down));
    assert_eq!(lines(&ascending, NodePart::Whole, &[]), [0, 2, 4, 6, 8, 10]);
    assert_eq!(lines(&ascending, NodePart::Before, &[2]), [0, 2]);
    assert_eq!(lines(&ascending, NodePart::After, &[2]), [6, 8, 10]);
    assert_eq!(lines(&ascending, NodePart::Between, &[1, 4]), [4, 6]);
    assert_eq!(lines(&ascending, NodePart::Between, &[1, 2]), [0; 0]);
    assert_eq!(lines(&ascending, NodePart::After, &[5]), [0; 0]);
    assert_eq!(lines(&descending, NodePart::Before, &[2]), [6, 8, 10]);
    assert_eq!(lines(&descending, NodePart::After, &[2]), [0, 2]);
    assert_eq!(lines(&descending, NodePart::Between, &[4, 1]), [4, 6]);
}

#[test]
fn a_neighbour_in_the_line_is_spatial_reuse_and_the_element_itself_temporal() {
    // for (i = 0; i < 10; i++) { a[i]; a[i]; }, in lines of four elements, and in lines of one.
    let lines = scop(&[in_fours(
        0,
        10,
        vec![touch(0, &[&[0, 1]]), touch(0, &[&[0, 1]])],
    )]);
    let body = vec![touch(0, &[&[0, 1]]), touch(0, &[&[0, 1]])];
    let elements = scop(&[up(0, 0, 9, body)]);
    let kind_of = |reference: usize, iteration: &[i128]| {
        let found = reuse_of(&lines, reference);
        let reuse = at(&found, iteration).expect("it is reused");
        let all = kinds(&lines, &elements, found.sink, reuse).expect("they are of one tree");
        let mut holding = all.iter().filter(|x| holds(&x.domain, iteration));
        let kind = holding.next().expect("each reuse has a kind");
        assert!(holding.next().is_none(), "and only one");
        (kind.origin, kind.locality)
    };
    let neighbour = (ReuseOrigin::Group, Locality::Spatial);
    assert_eq!(kind_of(0, &[0, 1]), neighbour);
    assert_eq!(kind_of(0, &[2, 1]), neighbour);
    assert_eq!(
        kind_of(1, &[0, 0]),
        (ReuseOrigin::Group, Locality::Temporal)
    );
    let alone = scop(&[in_fours(0, 10, vec![touch(0, &[&[0, 1]])])]);
    let alone_elements = scop(&[up(0, 0, 9, vec![touch(0, &[&[0, 1]])])]);
    let found = reuse_of(&alone, 0);
    let reuse = at(&found, &[1, 2]).expect("it is reused");
    let kinds = kinds(&alone, &alone_elements, found.sink, reuse).expect("they are of one tree");
    assert_eq!(
        (kinds[0].origin, kinds[0].locality),
        (ReuseOrigin::Own, Locality::Spatial)
    );
    assert_eq!(kinds.len(), 1);
}

#[test]
fn distances_of_blocked_loops_are_in_the_variable_of_the_program() {
    // for (i = 0; i < 10; i++) { a[i]; a[i - 4]; } in lines of four elements.
    let scop = scop(&[in_fours(
        0,
        10,
        vec![touch(0, &[&[0, 1]]), touch(0, &[&[-1, 1]])],
    )]);
    let found = reuse_of(&scop, 1);
    // The line of block b - 1 was touched last in its own last iteration.
    let reuse = at(&found, &[1, 0]).expect("it is reused");
    assert_eq!(values(&reuse.map, &[1, 0]), [0, 3]);
    let distances = distance_vector(&scop, found.sink, reuse).expect("it is small");
    let [(id, distance)] = &distances[..] else {
        panic!("one loop is around both");
    };
    assert_eq!((*id, distance.at(&[1, 0])), (LoopId::new(0), Ok(1)));
}

/// Dependences of references of which the ones listed store.
fn dependences_of(scop: &Scop, stores: &[usize]) -> Vec<Dependence> {
    dependences(scop, kind_of(stores)).expect("it is small")
}

fn kind_of(stores: &[usize]) -> impl Fn(ReferenceId) -> AccessKind {
    |id| match stores.contains(&id.index()) {
        true => AccessKind::Store,
        false => AccessKind::Load,
    }
}

#[test]
fn what_is_stored_in_one_column_and_loaded_in_the_next_depends_by_the_inner_loop() {
    // for (i = 0; i < 3; i++) for (j = 1; j < 4; j++) a[i][j] = a[i][j - 1];
    let body = vec![
        touch(0, &[&[0, 1], &[-1, 0, 1]]),
        touch(0, &[&[0, 1], &[0, 0, 1]]),
    ];
    let scop = scop(&[up(0, 0, 2, vec![inner(1, 1, 3, body)])]);
    let all = dependences_of(&scop, &[1]);
    let [flow] = &all[..] else {
        panic!("there is no other: {all:?}");
    };
    assert_eq!(
        (flow.source, flow.sink),
        (access(&scop, 1), access(&scop, 0))
    );
    assert_eq!(flow.kind, DependenceKind::Flow);
    assert_eq!(flow.carrier, Some(LoopId::new(1)));
    assert_eq!(flow.directions, [[Sign::Same, Sign::Before]]);
    assert_eq!(flow.distance, [Some(0), Some(1)]);
    // In three rows, columns 1 and 2 are loaded again.
    assert_eq!(points(&flow.pairs, 4).len(), 6);
}

#[test]
fn a_dependence_may_lead_back_in_an_inner_loop() {
    // for (i = 1; i < 4; i++) for (j = 0; j < 3; j++) a[i][j] = a[i - 1][j + 1];
    let body = vec![
        touch(0, &[&[-1, 1], &[1, 0, 1]]),
        touch(0, &[&[0, 1], &[0, 0, 1]]),
    ];
    let scop = scop(&[up(0, 1, 3, vec![inner(1, 0, 2, body)])]);
    let all = dependences_of(&scop, &[1]);
    let [flow] = &all[..] else {
        panic!("there is no other: {all:?}");
    };
    assert_eq!(flow.carrier, Some(LoopId::new(0)));
    assert_eq!(flow.directions, [[Sign::Before, Sign::After]]);
    assert_eq!(flow.distance, [Some(1), Some(-1)]);
}

#[test]
fn distances_are_known_where_all_pairs_agree_and_none_where_nothing_is_repeated() {
    // a[0] = … in so many iterations
    let stores = |last: i64| {
        let scop = scop(&[up(0, 0, last, vec![touch(0, &[&[0]])])]);
        dependences_of(&scop, &[0])
    };
    assert!(stores(-1).is_empty() && stores(0).is_empty());
    for (last, distance) in [(1, Some(1)), (2, None)] {
        let all = stores(last);
        let [output] = &all[..] else {
            panic!("there is no other: {all:?}");
        };
        assert_eq!(output.kind, DependenceKind::Output);
        assert_eq!(output.distance, [distance]);
    }
}

#[test]
fn in_the_same_iteration_the_order_of_the_text_decides() {
    // a[i] = …; … = a[i];
    let body = vec![touch(0, &[&[0, 1]]), touch(0, &[&[0, 1]])];
    let scop = scop(&[up(0, 0, 4, body)]);
    let all = dependences_of(&scop, &[0]);
    let [flow] = &all[..] else {
        panic!("there is no other: {all:?}");
    };
    assert_eq!((flow.kind, flow.carrier), (DependenceKind::Flow, None));
    assert_eq!(flow.distance, [Some(0)]);
    let swapped = dependences_of(&scop, &[1]);
    assert_eq!(swapped.len(), 1);
    assert_eq!(swapped[0].kind, DependenceKind::Anti);
}

#[test]
fn a_loop_that_counts_down_carries_negative_distances() {
    // for (i = 4; 0 <= i; i--) a[i] = a[i + 1];
    let body = vec![touch(0, &[&[1, 1]]), touch(0, &[&[0, 1]])];
    let scop = scop(&[down(0, 0, 4, body)]);
    let all = dependences_of(&scop, &[1]);
    let [flow] = &all[..] else {
        panic!("there is no other: {all:?}");
    };
    assert_eq!(flow.kind, DependenceKind::Flow);
    assert_eq!(flow.directions, [[Sign::Before]]);
    assert_eq!(flow.distance, [Some(-1)]);
}

#[test]
fn a_load_reads_what_the_last_store_before_it_left() {
    // for (t = 0; t < 4; t++) a[0] = a[0] + 1;
    let scop = scop(&[up(0, 0, 3, vec![touch(0, &[&[0]]), touch(0, &[&[0]])])]);
    let all = dependences_of(&scop, &[1]);
    let near = nearest(&scop, &all).expect("it is small");
    let pairs = |of: &[Dependence], kind: DependenceKind| {
        let wanted = of.iter().filter(|x| x.kind == kind);
        let mut pairs: Vec<_> = wanted.flat_map(|x| points(&x.pairs, 2)).collect();
        pairs.sort_unstable();
        pairs
    };
    let later = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
    assert_eq!(pairs(&all, DependenceKind::Flow), later);
    assert_eq!(pairs(&near, DependenceKind::Flow), [[0, 1], [1, 2], [2, 3]]);
    assert_eq!(
        pairs(&near, DependenceKind::Output),
        [[0, 1], [1, 2], [2, 3]]
    );
    // A load is stored over in its own iteration.
    assert_eq!(
        pairs(&near, DependenceKind::Anti),
        [[0, 0], [1, 1], [2, 2], [3, 3]]
    );
}

#[test]
fn a_vector_may_be_as_long_as_the_way_back_in_the_text() {
    let most = |last: i64, loaded: i64, reach: i64| {
        let body = vec![touch(0, &[&[loaded, 1]]), touch(0, &[&[0, 1]])];
        let scop = scop(&[up(0, 0, last, body)]);
        let found = backward(&scop, kind_of(&[1]), LoopId::new(0), reach, 1_000_000);
        let found = found.expect("it is small");
        assert!(
            found.iter().all(|x| x.kind == DependenceKind::Flow),
            "{found:?}"
        );
        found.iter().map(|x| x.distance).collect::<Vec<_>>()
    };
    // a[i] = a[i - 4]
    assert_eq!(most(9, -4, 63), [4]);
    assert_eq!(most(9, -4, 4), [4]);
    assert_eq!(most(9, -4, 3), [0; 0], "farther than anyone asks");
    assert_eq!(most(4, -4, 63), [4]);
    assert_eq!(most(3, -4, 63), [0; 0], "the loop is too short");
    // a[i] = a[i + 4] and a[i] = a[i] load first what they store.
    assert_eq!(most(9, 4, 63), [0; 0]);
    assert_eq!(most(9, 0, 63), [0; 0]);
}

#[test]
fn a_place_that_stays_is_stored_to_again_one_iteration_later() {
    let scop = scop(&[up(0, 0, 9, vec![touch(0, &[&[0]])])]);
    let found = backward(&scop, kind_of(&[0]), LoopId::new(0), 63, 1_000_000);
    let found = found.expect("it is small");
    let [output] = &found[..] else {
        panic!("it depends on itself: {found:?}");
    };
    assert_eq!((output.kind, output.distance), (DependenceKind::Output, 1));
    let loads = backward(&scop, kind_of(&[]), LoopId::new(0), 63, 1_000_000);
    assert_eq!(loads, Ok(Vec::new()), "loads do not keep an order");
}
