//! Runs that would take too long, or too much memory, end early.

use crate::TraceError;
use crate::bounded::Clock;
use crate::bounded_cache::BoundedCache;
use crate::bounded_histogram::BoundedHistograms;
use crate::cache::CacheSink;
use crate::formula::{Affine, Formula};
use crate::program::{AccessStep, LoopCounter, LoopStep, Program, ProgramStep};
use crate::walk::{Recur, Stop, Unknowns, walk};
use crate::windows::HistogramSink;
use premiss_cache::CacheGeometry;
use premiss_tree::{
    AccessKind, ArrayId, Comparison, EntityRef, LoopId, ReferenceId, SecondaryMap, VariableId,
};

/// `for (i = 0; i < n; i++) a[i]` with elements `stride` bytes apart; possible where data decide.
fn walk_of(n: i64, stride: i64, is_possible: bool) -> Program {
    let variable = VariableId::new(0);
    let access = ProgramStep::Access(AccessStep {
        reference: ReferenceId::new(0),
        array: ArrayId::new(0),
        kind: AccessKind::Store,
        size: 8,
        offset: Formula::Affine(Affine {
            constant: 0,
            terms: vec![(variable, stride)],
        }),
    });
    let body = match is_possible {
        true => vec![ProgramStep::Branch {
            condition: Formula::Unknown,
            then: vec![access],
            otherwise: Vec::new(),
            assigned: Vec::new(),
        }],
        false => vec![access],
    };
    let constant = |value| Formula::Affine(Affine::constant(value));
    let header = LoopCounter {
        id: LoopId::new(0),
        variable,
        first: constant(0),
        comparison: Comparison::Less,
        bound: constant(n),
        step: constant(1),
    };
    let step = LoopStep::new(header, body, true);
    Program {
        body: vec![ProgramStep::Loop(Box::new(step))],
    }
}

fn run<S: Recur>(program: &Program, budget: u64, sink: &mut S) -> Result<(), Stop> {
    let mut bases = SecondaryMap::new();
    bases[ArrayId::new(0)] = 1 << 40;
    walk(program, 1, &bases, Unknowns::Bound, budget, sink).map(|_| ())
}

const CACHE: CacheGeometry = CacheGeometry {
    line_size: 64,
    sets: 64,
    ways: 12,
};

fn clock() -> Clock {
    Clock::new(vec![(0, i64::MAX / 4)])
}

#[test]
fn a_long_run_ends_where_its_budget_does() {
    let program = walk_of(1 << 40, 64, false);
    let budget = 1_000_000;
    let expected = Err(Stop::Error(TraceError::Budget(budget)));
    let mut histogram = HistogramSink::new(64, 1, 1);
    assert_eq!(run(&program, budget, &mut histogram), expected);
    assert!(
        histogram.stack.len() < 2_000_000,
        "lines beyond the budget are not looked at"
    );
    let mut cache = CacheSink::new(&[CACHE], 1, 1).expect("it is a cache");
    assert_eq!(run(&program, budget, &mut cache), expected);
    let mut bounded = BoundedCache::new(CACHE, 1, clock()).expect("it is a cache");
    let program = walk_of(1 << 40, 64, true);
    assert_eq!(run(&program, budget, &mut bounded), expected);
}

#[test]
fn a_long_run_within_few_lines_needs_few_steps() {
    let program = walk_of(1 << 40, 0, false);
    let mut histogram = HistogramSink::new(64, 1, 1);
    assert_eq!(run(&program, 1000, &mut histogram), Ok(()));
}

#[test]
fn a_run_ends_where_its_lines_take_too_much_memory() {
    // Each line is on a page of its own of the table of lines: 4 KiB.
    let program = walk_of(1 << 40, 1 << 16, false);
    let mut histogram = HistogramSink::new(64, 1, 1);
    let found = run(&program, u64::MAX, &mut histogram);
    assert_eq!(found, Err(Stop::Error(TraceError::Memory(1 << 30))));
}

#[test]
fn possible_stores_to_one_set_take_a_few_steps_each() {
    // All lines are in one set, from which nothing is certainly evicted.
    let n = 400_000;
    for stride in [4096, -4096] {
        let program = walk_of(n, stride, true);
        let mut cache = BoundedCache::new(CACHE, 1, clock()).expect("it is a cache");
        assert_eq!(run(&program, 10_000_000, &mut cache), Ok(()));
        assert_eq!(cache.misses(0), (0, n.unsigned_abs()));
        let mut histogram = BoundedHistograms::new(64, 1, clock());
        assert_eq!(run(&program, 10_000_000, &mut histogram), Ok(()));
    }
}
