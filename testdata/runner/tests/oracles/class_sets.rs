//! Misses of set-associative caches as formulas in one class of sizes, against the trace, reference by reference.
//!
//! For lines of 64 bytes and `sets` sets, sizes of rows of doubles are in one class modulo `8 · sets`. Small caches have small
//! classes, so that several sizes of each can be traced.

use crate::decided_misses::{Outcomes, random_config};
use premiss_cache::{CacheGeometry, Hierarchy};
use premiss_dataflow::analyze;
use premiss_distance::{ClassMisses, class_misses};
use premiss_isl::with_budget;
use premiss_presburger::{Evaluator, Refusal};
use premiss_scop::{ArrayLayout, Obstacle, Reject, Scop, ScopOptions, Size, lower};
use premiss_testdata::closed::{Sizes, with_parameters};
use premiss_testdata::kernel::Kernel;
use premiss_testdata::random::kernels;
use premiss_trace::{Execution, Placement};
use premiss_tree::{NestTree, ParameterId};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::collections::BTreeMap;

const LINE: u64 = 64;

/// An execution with arrays at multiples of a line.
fn execution<'t>(tree: &'t NestTree, sizes: &BTreeMap<ParameterId, i64>) -> Option<Execution<'t>> {
    let placement = Placement {
        alignment: LINE,
        bases: BTreeMap::new(),
    };
    Execution::new(tree, sizes, &placement, 20_000_000_000).ok()
}

/// The scop of a tree with its sizes in one class modulo a period, or a multiple of it that subscripts want; numbers of time
/// steps are as they are.
fn lower_in_class(tree: &NestTree, period: i64, residue: i64) -> Result<Scop, Reject> {
    let mut question = ScopOptions {
        line_size: LINE,
        layout: ArrayLayout::Aligned,
        sizes: BTreeMap::new(),
    };
    let in_class = |factor: i64| Size::Symbolic {
        factor,
        residue: residue.rem_euclid(factor),
    };
    for id in tree.used_parameters() {
        let is_time = tree.parameters[id].name.starts_with('T');
        let factor = if is_time { 1 } else { period };
        question.sizes.insert(id, in_class(factor));
    }
    loop {
        match lower(tree, &question) {
            Err(Reject::Expression {
                obstacle: Obstacle::Residue(id, factor),
                ..
            }) if factor <= 64 => {
                let finer = in_class(factor * period);
                assert_ne!(question.sizes.insert(id, finer), Some(finer));
            }
            other => return other,
        }
    }
}

/// The sizes of a scop at a point.
fn sizes_at(scop: &Scop, point: &[i128]) -> BTreeMap<ParameterId, i64> {
    let sizes = scop.parameters.iter().zip(point);
    let sizes = sizes.map(|(size, x)| {
        let x = i64::try_from(*x).expect("it is small");
        (size.id, size.factor * x + size.residue)
    });
    sizes.collect()
}

/// The formulas of a scop; `None` where arrays cannot be placed, or start in other sets at another size of the class.
fn formulas(
    tree: &NestTree,
    scop: &Scop,
    geometry: CacheGeometry,
    (operations, steps): (u64, u64),
) -> Result<Option<Vec<ClassMisses>>, Refusal> {
    let relation = with_budget(operations, || analyze(scop))?;
    let first_lines = |x: i128| {
        let point = vec![x; scop.parameters.len()];
        let execution = execution(tree, &sizes_at(scop, &point))?;
        let line = |base: u64| base / geometry.line_size % geometry.sets;
        let lines = scop.spaces.values().map(|space| {
            let line = line(execution.bases()[space.array]);
            i64::try_from(line).expect("it is small")
        });
        Some(lines.collect::<Vec<i64>>())
    };
    let Some(lines) = first_lines(1) else {
        return Ok(None);
    };
    if first_lines(2) != Some(lines.clone()) || first_lines(4) != Some(lines.clone()) {
        return Ok(None);
    }
    let first_line = |space: premiss_scop::LineSpaceId| {
        let place = scop.spaces.keys().position(|other| other == space);
        lines[place.expect("it is one of the spaces")]
    };
    class_misses(scop, &relation, &first_line, geometry, steps).map(Some)
}

/// Compares formulas with the trace at a point, whose coordinates are those of sizes.
fn compare(
    tree: &NestTree,
    scop: &Scop,
    geometry: CacheGeometry,
    (found, point): (&[ClassMisses], &[i128]),
    outcomes: &Outcomes,
) -> Result<(), String> {
    let sizes = sizes_at(scop, point);
    let Some(execution) = execution(tree, &sizes) else {
        outcomes.note("not placed".to_owned());
        return Ok(());
    };
    let Ok(traced) = execution.misses(&[geometry], Hierarchy::Independent) else {
        outcomes.note("not traced".to_owned());
        return Ok(());
    };
    for one in found {
        let row = &tree.references[one.reference];
        let pieces = match &one.misses {
            Ok(pieces) => pieces,
            Err(refusal) => {
                outcomes.note(format!("{refusal:?}"));
                continue;
            }
        };
        let variables = pieces.first().map_or(0, |piece| piece.domain.variables);
        let mut values = point.to_vec();
        values.resize(variables, 0);
        let formula = Evaluator::new(variables, pieces);
        let value = formula.at(&values).expect("it fits").to_integer();
        let expected = traced[0][one.reference].exact().map(i128::from);
        if value != expected {
            return Err(format!(
                "{} {:?} at {sizes:?} in {} sets of {}: {value:?} misses, not {expected:?}",
                row.text, row.kind, geometry.sets, geometry.ways
            ));
        }
        outcomes.note("equal".to_owned());
    }
    Ok(())
}

/// Checks all references of a kernel in a class of sizes, at these multiples of its period.
fn check(kernel: &str, sizes: Sizes, (sets, ways): (u64, u64), residue: i64, members: &[i128]) {
    let geometry = CacheGeometry {
        line_size: LINE,
        sets,
        ways,
    };
    let read = with_parameters(&format!("kernels/c/{kernel}.c"), sizes);
    let tree = read.unit.functions.last().expect("a function");
    let period = 8 * i64::try_from(sets).expect("it is small");
    let scop = lower_in_class(tree, period, residue).expect("it is in the model");
    let effort = (2_000_000_000, 100_000_000);
    let found = formulas(tree, &scop, geometry, effort).expect("it has formulas");
    let found = found.expect("arrays are placed");
    let outcomes = Outcomes::default();
    for (idx, member) in members.iter().enumerate() {
        // Sizes differ from each other at every other member; the fewest time steps are two.
        let columns = scop.parameters.iter().enumerate();
        let point = columns.map(|(place, size)| {
            let more = i128::from((place * idx) % 2 == 1);
            member + more + if size.factor == 1 { 2 } else { 0 }
        });
        let point: Vec<i128> = point.collect();
        if scop.context.contains(&point).expect("it is small") {
            let result = compare(tree, &scop, geometry, (&found, &point), &outcomes);
            result.unwrap_or_else(|what| panic!("{kernel}, class of {residue}: {what}"));
        }
    }
    assert_eq!(outcomes.0.borrow().len(), 1, "{kernel}: {outcomes:?}");
}

/// Each kernel: classes, in a cache of four sets and two lines each, in which its sizes depend on the first one.
macro_rules! tied {
    ($($test:ident $file:literal [$($residue:literal),*],)*) => {
        $(#[test]
        fn $test() {
            for residue in [$($residue),*] {
                check($file, Sizes::Tied, (4, 2), residue, &[0, 1, 2, 3, 5]);
            }
        })*
    };
}

tied! {
    atax "atax" [0, 8, 3],
    bicg "bicg" [0, 8, 3],
    doitgen "doitgen" [0, 8],
    gemm "gemm" [0, 8, 3],
    gemver "gemver" [0, 8],
    gesummv "gesummv" [0, 8, 3],
    jacobi_1d "jacobi-1d" [0, 8, 3],
    jacobi_2d "jacobi-2d" [0, 8],
    lu "lu" [0, 8],
    mvt "mvt" [0, 8, 3],
    seidel_2d "seidel-2d" [0, 8],
    syrk "syrk" [0, 8],
    three_mm "3mm" [0, 8],
    trisolv "trisolv" [0, 8],
    trmm "trmm" [0, 8],
    two_mm "2mm" [0, 8],
}

/// 32 KiB in eight ways, at a power of two and at a multiple of eight.
#[test]
fn a_first_level() {
    for residue in [0, 488] {
        for kernel in ["atax", "jacobi-2d", "mvt"] {
            check(kernel, Sizes::Tied, (64, 8), residue, &[0, 1, 2]);
        }
        check("gemm", Sizes::Tied, (64, 8), residue, &[0]);
    }
}

/// The same for a triangular loop, whose blocks are shorter or longer than the cache is: all rows start in the same set.
#[test]
fn a_first_level_of_triangular_loops() {
    check("lu", Sizes::Tied, (64, 8), 0, &[1]);
}

/// What one random nest may take.
const EFFORT: (u64, u64) = (500_000, 300_000);

/// `PREMISS_CASES=10000 cargo test -p premiss-testdata --test oracles class_sets::random -- --nocapture` tries longer.
#[test]
#[expect(
    clippy::print_stdout,
    reason = "what was refused is told to whoever asks"
)]
fn random() {
    let config = random_config();
    let outcomes = Outcomes::default();
    let strategy = (kernels(), (1..4_u64, 1..5_u64), 0..64_i64);
    let result = TestRunner::new(config).run(&strategy, |(text, (sets, ways), residue)| {
        let read = Kernel::from_bytes("f.c", text.clone().into(), &[], &[]);
        let tree = read.only_tree();
        let geometry = CacheGeometry {
            line_size: LINE,
            sets,
            ways,
        };
        let period = 8 * i64::try_from(sets).expect("it is small");
        let Ok(scop) = lower_in_class(tree, period, residue) else {
            outcomes.note("not lowered".to_owned());
            return Ok(());
        };
        let found = match formulas(tree, &scop, geometry, EFFORT) {
            Ok(Some(found)) => found,
            Ok(None) => {
                outcomes.note("not placed".to_owned());
                return Ok(());
            }
            Err(refusal) => {
                outcomes.note(format!("none: {refusal:?}"));
                return Ok(());
            }
        };
        for point in [[0, 0], [1, 1], [2, 1], [1, 3], [5, 4]] {
            let point = &point[..scop.parameters.len()];
            if !scop.context.contains(point).expect("it is small") {
                continue;
            }
            compare(tree, &scop, geometry, (&found, point), &outcomes).map_err(|what| {
                TestCaseError::fail(format!("class of {residue}: {what}\n{text}"))
            })?;
        }
        Ok(())
    });
    println!("{:?}", outcomes.0.borrow());
    if let Err(error) = result {
        panic!("{error}");
    }
    let outcomes = outcomes.0.borrow();
    let equal = outcomes.get("equal").copied().unwrap_or(0);
    assert!(60 < equal, "{equal} numbers were compared");
}
