//! Kernels of the literature: predecessors, distance vectors and kinds of reuse, histograms, and
//! misses of two fully associative caches.

use premiss_cache::{CacheGeometry, Hierarchy};
use premiss_dataflow::{AccessReuse, Locality, ReuseOrigin, analyze, distance_vector, kinds};
use premiss_histogram::ReuseDistanceHistogram;
use premiss_scop::{ArrayLayout, NodeId, NodeKind, Scop, ScopOptions, lower};
use premiss_testdata::closed::{by_reference, closed_form};
use premiss_testdata::judge::{execute, total_histogram};
use premiss_testdata::kernel::Kernel;
use std::collections::BTreeMap;

/// Sink, distance in `i` and `j`, source, and kind: in order, the nearest source comes first.
type ExpectedReuse = (usize, [i64; 2], usize, ReuseOrigin, Locality);

/// How often each reuse occurs, and for each sink how many lines it is the first to touch.
type Counts = (BTreeMap<ExpectedReuse, u64>, BTreeMap<usize, u64>);

fn read(kernel: &str, sizes: &[(&str, i64)]) -> Kernel {
    Kernel::read(&format!("kernels/c/papers/{kernel}.c"), sizes, &[])
}

fn scop(kernel: &Kernel, line_size: u64) -> Scop {
    let question = ScopOptions {
        line_size,
        layout: ArrayLayout::Aligned,
        sizes: BTreeMap::new(),
    };
    lower(kernel.only_tree(), &question).expect("affine")
}

/// The references of the running example in order of execution, by array and subscripts.
const RUNNING: [(&str, &str); 8] = [
    ("x1[i]", "x1"),
    ("a[i][j]", "a"),
    ("y1[j]", "y1"),
    ("x1[i]", "x1"),
    ("x2[j]", "x2"),
    ("a[i][j]", "a"),
    ("y2[i]", "y2"),
    ("x2[j]", "x2"),
];

/// What the running example does, executed by hand in lines of eight elements.
fn running_by_hand(n: i64) -> Counts {
    let mut last: BTreeMap<(&str, i64), (usize, i64, [i64; 2])> = BTreeMap::new();
    let (mut counts, mut cold) = Counts::default();
    for i in 0..n {
        for j in 0..n {
            for (sink, (text, array)) in RUNNING.into_iter().enumerate() {
                let element = match text {
                    "a[i][j]" => n * i + j,
                    "x1[i]" | "y2[i]" => i,
                    _ => j,
                };
                let before = last.insert((array, element / 8), (sink, element, [i, j]));
                let Some((source, its, [i1, j1])) = before else {
                    *cold.entry(sink).or_default() += 1;
                    continue;
                };
                let origin = [ReuseOrigin::Group, ReuseOrigin::Own][usize::from(source == sink)];
                let locality = [Locality::Spatial, Locality::Temporal][usize::from(its == element)];
                let found = (sink, [i - i1, j - j1], source, origin, locality);
                *counts.entry(found).or_default() += 1;
            }
        }
    }
    (counts, cold)
}

/// All values of the columns of a node, those that blocks do not bound up to `n`.
fn points(scop: &Scop, node: NodeId, n: i64) -> Vec<Vec<i128>> {
    let Some(parent) = scop.nodes[node].parent else {
        return vec![Vec::new()];
    };
    let NodeKind::Loop { range, .. } = &scop.nodes[parent].kind else {
        panic!("only loops have children");
    };
    let (first, last) = range.unwrap_or((0, n));
    let mut all = Vec::new();
    for outer in points(scop, parent, n) {
        for own in first..=last {
            all.push([&outer[..], &[i128::from(own)]].concat());
        }
    }
    all
}

fn reference(scop: &Scop, node: NodeId) -> usize {
    match &scop.nodes[node].kind {
        NodeKind::Access(access) => {
            usize::try_from(access.reference.as_u32()).expect("a small number")
        }
        NodeKind::Loop { .. } => panic!("not an access"),
    }
}

/// Counts what the analysis says of one access.
fn count(scop: &Scop, elements: &Scop, access: &AccessReuse, n: i64, counts: &mut Counts) {
    let sink = reference(scop, access.sink);
    let points = points(scop, access.sink, n);
    for reuse in &access.reuses {
        let vector = distance_vector(scop, access.sink, reuse).expect("fits");
        for kind in kinds(scop, elements, access.sink, reuse).expect("affine") {
            let holds = |point: &&Vec<i128>| {
                let inside = kind
                    .domain
                    .iter()
                    .filter(|x| x.contains(point).expect("small"));
                let inside = inside.count();
                assert!(inside < 2, "domains are disjoint");
                inside == 1
            };
            for point in points.iter().filter(holds) {
                let at = |idx: usize| vector[idx].1.at(point).expect("small");
                let at = |idx| i64::try_from(at(idx)).expect("small");
                let distance = [at(0), at(1)];
                let source = reference(scop, reuse.source);
                let found = (sink, distance, source, kind.origin, kind.locality);
                *counts.0.entry(found).or_default() += 1;
            }
        }
    }
    let is_cold = |point: &&Vec<i128>| {
        let mut all = access.cold.iter();
        all.any(|x| x.contains(point).expect("small"))
    };
    let cold = points.iter().filter(is_cold).count();
    if 0 < cold {
        counts.1.insert(sink, u64::try_from(cold).expect("few"));
    }
}

fn running_analyzed(n: i64) -> Counts {
    let kernel = read("mvt_running", &[("N", n)]);
    let texts: Vec<&str> = kernel
        .only_tree()
        .references
        .values()
        .map(|x| x.text.as_str())
        .collect();
    assert_eq!(texts, RUNNING.map(|x| x.0));
    let (scop, elements) = (scop(&kernel, 64), scop(&kernel, 8));
    let mut counts = Counts::default();
    for access in &analyze(&scop).expect("affine").accesses {
        count(&scop, &elements, access, n, &mut counts);
    }
    counts
}

#[test]
fn the_running_example_is_what_executing_it_by_hand_says() {
    for n in [1, 3, 8, 11, 16] {
        assert_eq!(running_analyzed(n), running_by_hand(n), "size {n}");
    }
}

#[test]
fn the_running_example_has_these_predecessors() {
    use Locality::{Spatial, Temporal};
    use ReuseOrigin::{Group, Own};
    // Rows of 2·8 + 3 elements: the last block of a vector has three.
    let (counts, cold) = running_analyzed(19);
    let expected: Vec<ExpectedReuse> = vec![
        (0, [0, 1], 3, Group, Temporal),
        (0, [1, -18], 3, Group, Spatial),
        (1, [0, 1], 5, Group, Spatial),
        (1, [1, -18], 5, Group, Spatial),
        (2, [0, 1], 2, Own, Spatial),
        (2, [1, -7], 2, Own, Spatial),
        (2, [1, -2], 2, Own, Spatial),
        (3, [0, 0], 0, Group, Temporal),
        (4, [0, 1], 7, Group, Spatial),
        (4, [1, -7], 7, Group, Spatial),
        (4, [1, -2], 7, Group, Spatial),
        (5, [0, 0], 1, Group, Temporal),
        (6, [0, 1], 6, Own, Temporal),
        (6, [1, -18], 6, Own, Spatial),
        (7, [0, 0], 4, Group, Temporal),
    ];
    let found: Vec<ExpectedReuse> = counts.keys().copied().collect();
    assert_eq!(found, expected);
    // Lines of x1, a, y1, x2 and y2.
    assert_eq!(
        cold,
        BTreeMap::from([(0, 3), (1, 46), (2, 3), (4, 3), (6, 3)])
    );
}

/// Histograms of a kernel in closed form and by the trace, and the misses of 32 KiB and of 16 MiB.
fn check(kernel: &str, sizes: &[(&str, i64)], misses: [u64; 2]) {
    let read = read(kernel, sizes);
    let tree = read.only_tree();
    let (form, _) = closed_form(tree, 64, &BTreeMap::new()).expect("affine");
    let sized = form.at(&[]).expect("no size is symbolic");
    let found = by_reference(tree, &sized).expect("numbers fit");
    let execution = execute(tree, 64);
    let expected = execution.histograms(64).expect("in budget");
    for (id, row) in &tree.references {
        assert_eq!(
            found[id], expected[id],
            "{kernel}: {} {:?}",
            row.text, row.kind
        );
    }
    let all: ReuseDistanceHistogram = total_histogram(tree, &found);
    let lines = [512, 262_144];
    let geometry = lines.map(|lines| CacheGeometry {
        line_size: 64,
        sets: 1,
        ways: lines,
    });
    let traced = execution
        .misses(&geometry, Hierarchy::Independent)
        .expect("in budget");
    for (level, counts) in lines.into_iter().zip(&traced) {
        for id in tree.references.keys() {
            let own = found[id].misses(level);
            assert_eq!(own, counts[id], "{kernel}: {level} lines");
        }
    }
    let totals = lines.map(|lines| all.misses(lines).exact());
    assert_eq!(totals, misses.map(Some), "{kernel}");
}

// Expected misses are worked out by hand: what a row of the nest touches against 512 lines, and all
// lines that there are, which 262,144 lines hold or never use again.

#[test]
fn mvt() {
    // A row touches 940 lines: y_1 and x2 are read anew in each, y_2[i] and the stored x1[i] too.
    let vectors = 2 * 2500 * 313;
    let l1 = vectors + 781_250 + 313 + 2500 + 2500;
    check("mvt", &[], [l1, 781_250 + 4 * 313]);
}

#[test]
fn mvt_as_written() {
    // Here x1[i] and y2[i] are touched in every iteration.
    let vectors = 2 * 2500 * 313;
    let l1 = vectors + 781_250 + 2 * 313;
    check("mvt_running", &[], [l1, 781_250 + 4 * 313]);
}

#[test]
fn triad() {
    check("triad", &[], [375_000, 375_000]);
}

#[test]
fn fission() {
    // Of 15,313 lines of `a`, 512 lines hold none until it is read again.
    check("fission", &[], [4 * 15_313, 3 * 15_313]);
}

#[test]
fn fusion() {
    check("fusion", &[], [3 * 15_313, 3 * 15_313]);
}

#[test]
fn mxm_long_and_skinny() {
    // Eight columns of B stay while they are used; all of it is read anew for each row.
    let (a, b, c) = (4096, 4096, 131_072);
    check("mxm", &[], [a + 1024 * b + c, a + b + c]);
}

#[test]
fn mxm_short_and_fat() {
    // A column of B is 1,024 lines: nothing stays from one column to the next.
    let (a, b, c) = (32 * 128, 32 * 128, 128);
    let l1 = 32 * 32 * (128 + 1024 + 1);
    check("mxm", &[("N", 32), ("M", 1024)], [l1, a + b + c]);
}

/// The lines of 32 bytes that A[i][k] and A[i][k + 1] are the first to touch.
fn first_touches(n: i64) -> [u64; 2] {
    let read = read("unrolled", &[("N", n)]);
    let tree = read.only_tree();
    let (form, _) = closed_form(tree, 32, &BTreeMap::new()).expect("affine");
    let sized = form.at(&[]).expect("no size is symbolic");
    let found = by_reference(tree, &sized).expect("numbers fit");
    let traced = execute(tree, 64).histograms(32).expect("in budget");
    ["A[i][k]", "A[i][k + 1]"].map(|text| {
        let (id, _) = tree
            .references
            .iter()
            .find(|x| x.1.text == text)
            .expect(text);
        assert_eq!(found[id], traced[id], "{text} of {n}");
        found[id].cold().exact().expect("exact")
    })
}

#[test]
fn which_of_two_unrolled_references_misses_depends_on_the_parity_of_the_size() {
    assert_eq!(first_touches(8), [16, 0]);
    assert_eq!(first_touches(16), [64, 0]);
    let [first, second] = first_touches(9);
    assert!(0 < first && 0 < second, "{first}, {second}");
    // Nine rows of nine elements, the last element of the last row unused: 20 lines.
    assert_eq!(first + second, 20);
}
