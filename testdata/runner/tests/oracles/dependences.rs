//! Dependences against all pairs of accesses to the same element, one by one.
//!
//! The oracle lists the accesses of a tree with their iterations and looks at each two of them; it
//! knows nothing of sets. Of the random nests a sixth to a third keep to elements of one length at
//! their multiples, and are compared.
//!
//! `PROPTEST_CASES=10000 cargo test -p premiss-testdata --test oracles dependences::` tries longer.

use premiss_dataflow::{Dependence, DependenceKind, Sign, dependences, nearest};
use premiss_oracle::{Iterated, iterated};
use premiss_presburger::{Affine, Budget, Column, Evaluator, System, count};
use premiss_scop::{NodeKind, Scop, Size, lower_elements};
use premiss_testdata::kernel::Kernel;
use premiss_testdata::random::config;
use premiss_testdata::random::{Knowledge, shapeless, sweeps};
use premiss_tree::{AccessKind, LoopId, NestTree, ParameterId, ReferenceId};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// More accesses than this are not compared with each other.
const ACCESSES: usize = 3_000;

/// Symbolic sizes are known modulo this: some shapes halve subscripts.
const FACTOR: i64 = 2;

/// Source, sink, kind, carrier.
type Key = (ReferenceId, ReferenceId, DependenceKind, Option<LoopId>);

/// What is known of the dependences of one key.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Expected {
    pairs: BTreeSet<(Vec<i64>, Vec<i64>)>,
    directions: BTreeSet<Vec<Sign>>,
    distances: BTreeSet<Vec<i64>>,
}

/// Whether writes in between matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Based {
    OnMemory,
    OnValues,
}

fn expected(tree: &NestTree, accesses: &[Iterated], based: Based) -> BTreeMap<Key, Expected> {
    let mut by_element: BTreeMap<_, Vec<&Iterated>> = BTreeMap::new();
    for access in accesses {
        let array = tree.references[access.reference].array;
        let same = by_element.entry((array, access.offset)).or_default();
        same.push(access);
    }
    let stores = |access: &Iterated| tree.references[access.reference].kind == AccessKind::Store;
    let mut all: BTreeMap<Key, Expected> = BTreeMap::new();
    for same in by_element.values() {
        for (place, source) in same.iter().enumerate() {
            for sink in &same[place + 1..] {
                note(&mut all, source, sink, stores(source), stores(sink));
                if based == Based::OnValues && stores(sink) {
                    break;
                }
            }
        }
    }
    all
}

fn note(
    all: &mut BTreeMap<Key, Expected>,
    source: &Iterated,
    sink: &Iterated,
    stores: bool,
    stores_later: bool,
) {
    let kind = match (stores, stores_later) {
        (true, false) => DependenceKind::Flow,
        (false, true) => DependenceKind::Anti,
        (true, true) => DependenceKind::Output,
        (false, false) => DependenceKind::Input,
    };
    let both = source.iterations.iter().zip(&sink.iterations);
    let common: Vec<_> = both.take_while(|(a, b)| a.id == b.id).collect();
    let carrier = common.iter().find(|(a, b)| a.order != b.order);
    let key = (
        source.reference,
        sink.reference,
        kind,
        carrier.map(|x| x.0.id),
    );
    let entry = all.entry(key).or_default();
    let values = |access: &Iterated| access.iterations.iter().map(|x| x.value).collect();
    entry.pairs.insert((values(source), values(sink)));
    let signs = common.iter().map(|(a, b)| match a.order.cmp(&b.order) {
        std::cmp::Ordering::Less => Sign::Before,
        std::cmp::Ordering::Equal => Sign::Same,
        std::cmp::Ordering::Greater => Sign::After,
    });
    entry.directions.insert(signs.collect());
    let distances = common.iter().map(|(a, b)| b.value - a.value);
    entry.distances.insert(distances.collect());
}

fn reference(scop: &Scop, dependence: &Dependence) -> Key {
    let of = |node| match &scop.nodes[node].kind {
        NodeKind::Access(access) => access.reference,
        NodeKind::Loop { .. } => panic!("a dependence is between accesses"),
    };
    (
        of(dependence.source),
        of(dependence.sink),
        dependence.kind,
        dependence.carrier,
    )
}

/// How many pairs there are at these values of the parameters.
fn number(pairs: &[System], parameters: &[i128]) -> i128 {
    let mut sum = 0;
    for system in pairs {
        let mut system = system.clone();
        for (column, value) in Column::variables(parameters.len()).zip(parameters) {
            let own = Affine::variable(system.columns(), column);
            let value = i64::try_from(*value).expect("a small size");
            let one = Affine::constant(system.columns(), 1);
            system
                .equalities
                .push(own.plus(-value, &one).expect("fits"));
        }
        let over: Vec<Column> = Column::variables(system.variables).collect();
        let context = System::universe(system.variables);
        let pieces = count(&system, &over, &context, &mut Budget::new(10_000_000));
        let point = vec![0; system.variables];
        let evaluator = Evaluator::new(system.variables, &pieces.expect("counted"));
        let found = evaluator.at(&point).expect("fits");
        sum += found.to_integer().expect("a number of pairs");
    }
    sum
}

/// Which sizes are symbolic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SizeChoice {
    Numbers,
    Symbols,
}

/// Compares what is found with what is expected; false where the tree is outside the model.
fn compare(
    tree: &NestTree,
    sizes: &BTreeMap<ParameterId, i64>,
    given: SizeChoice,
    what: &str,
) -> bool {
    let size = |(id, value): (&ParameterId, &i64)| match given {
        SizeChoice::Numbers => (*id, Size::Fixed(*value)),
        SizeChoice::Symbols => {
            let (factor, residue) = (FACTOR, value % FACTOR);
            (*id, Size::Symbolic { factor, residue })
        }
    };
    let Ok(scops) = lower_elements(tree, &sizes.iter().map(size).collect()) else {
        return false;
    };
    let Ok(Some(accesses)) = iterated(tree, sizes, ACCESSES) else {
        return false;
    };
    for based in [Based::OnMemory, Based::OnValues] {
        let mut expected = expected(tree, &accesses, based);
        for scop in &scops {
            let parameters = scop
                .parameters
                .iter()
                .map(|x| i128::from(sizes[&x.id] / FACTOR));
            let parameters: Vec<i128> = parameters.collect();
            if !scop.context.contains(&parameters).expect("fits") {
                return false;
            }
            let kind_of = |id: ReferenceId| tree.references[id].kind;
            let mut found = dependences(scop, kind_of).expect("no budget runs out");
            if based == Based::OnValues {
                found = nearest(scop, &found).expect("no budget runs out");
            }
            for dependence in &found {
                let key = reference(scop, dependence);
                let what = format!("{what}, {based:?}: {key:?}");
                let known = expected.remove(&key).unwrap_or_default();
                assert!(
                    given == SizeChoice::Symbols || !known.pairs.is_empty(),
                    "{what}"
                );
                check(dependence, &known, &parameters, &what);
            }
        }
        assert!(expected.is_empty(), "{what}: {expected:?}");
    }
    true
}

fn check(dependence: &Dependence, known: &Expected, parameters: &[i128], what: &str) {
    let expected = i128::try_from(known.pairs.len()).expect("fits");
    assert_eq!(number(&dependence.pairs, parameters), expected, "{what}");
    for (source, sink) in &known.pairs {
        let point = source.iter().chain(sink).map(|x| i128::from(*x));
        let point: Vec<i128> = parameters.iter().copied().chain(point).collect();
        let holds = |system: &&System| system.contains(&point).expect("fits");
        let times = dependence.pairs.iter().filter(holds).count();
        assert_eq!(times, 1, "{what}: {source:?} to {sink:?}");
    }
    let directions: BTreeSet<Vec<Sign>> = dependence.directions.iter().cloned().collect();
    for (place, distance) in dependence.distance.iter().enumerate() {
        let all: BTreeSet<i64> = known.distances.iter().map(|x| x[place]).collect();
        match distance {
            Some(value) => assert!(all.iter().all(|x| x == value), "{what}: {all:?}"),
            // Of symbolic sizes some may have one distance where all together have more.
            None if parameters.is_empty() => assert!(1 < all.len(), "{what}: {all:?}"),
            None => {}
        }
    }
    if parameters.is_empty() {
        assert_eq!(directions, known.directions, "{what}");
    } else {
        assert!(known.directions.is_subset(&directions), "{what}");
    }
}

/// Compares a file at sizes that are numbers.
fn check_file(path: &str, sizes: &[i64]) {
    for size in sizes {
        let macros: Vec<(&str, i64)> = ["N", "M", "NI", "NJ", "NK", "NL", "TSTEPS", "TMAX"]
            .iter()
            .zip(0..)
            .map(|(name, more): (&&str, i64)| match *name {
                "TSTEPS" | "TMAX" => (*name, 2),
                _ => (*name, size + more % 3),
            })
            .collect();
        let read = Kernel::read(path, &macros, &[("n", *size), ("m", size + 1)]);
        let tree = read.unit.functions.last().expect("a function");
        let what = format!("{path} at {size}");
        let is_compared = compare(tree, &BTreeMap::new(), SizeChoice::Numbers, &what);
        assert!(is_compared, "{what}");
    }
}

/// Compares a shape whose sizes are symbols.
fn check_symbols(path: &str, size: i64) {
    let read = Kernel::read(path, &[], &[]);
    let tree = read.unit.functions.last().expect("a function");
    let value = |id: ParameterId| match tree.parameters[id].name.as_str() {
        "m" => size + 1,
        _ => size,
    };
    let used = tree.used_parameters();
    let sizes = used.iter().map(|id| (*id, value(*id))).collect();
    let what = format!("{path} of symbols at {size}");
    assert!(compare(tree, &sizes, SizeChoice::Symbols, &what), "{what}");
}

macro_rules! kernels {
    ($($test:ident $file:literal [$($size:literal),*],)*) => {
        $(#[test]
        fn $test() {
            check_file(concat!("kernels/c/", $file, ".c"), &[$($size),*]);
        })*
    };
}

kernels! {
    atax "atax" [3, 6],
    cholesky "cholesky" [3, 6],
    durbin "durbin" [3, 7],
    gemm "gemm" [3, 5],
    jacobi_1d "jacobi-1d" [5, 9],
    jacobi_2d "jacobi-2d" [4, 6],
    lu "lu" [3, 6],
    mvt "mvt" [3, 7],
    seidel_2d "seidel-2d" [4, 6],
    symm "symm" [3, 5],
    trisolv "trisolv" [3, 7],
    trmm "trmm" [3, 5],
}

macro_rules! shapes {
    ($($shape:ident)*) => {
        mod shapes {
            $(#[test]
            fn $shape() {
                let path = format!("kernels/c/shapes/{}.c", stringify!($shape));
                super::check_file(&path, &[4, 7]);
                super::check_symbols(&path, 6);
            })*
        }
    };
}

shapes! {
    back_substitution
    banded
    block_copy
    downward
    float_chain
    floats
    guards
    imperfect
    linearised_product
    pipeline
    red_black
    red_black_2d
    reversed
    strided
    tiles
    time_skewed
    transpose_in_place
    updates
    wavefront
}

proptest! {
    #![proptest_config(config(1))]

    #[test]
    fn any_shape(sketch in shapeless(Knowledge::Full)) {
        compare(&sketch.tree(), &BTreeMap::new(), SizeChoice::Numbers, &format!("{sketch:#?}"));
    }
}

proptest! {
    #![proptest_config(config(4))]

    #[test]
    fn long_sweeps(sketch in sweeps()) {
        compare(&sketch.tree(), &BTreeMap::new(), SizeChoice::Numbers, &format!("{sketch:#?}"));
    }
}
