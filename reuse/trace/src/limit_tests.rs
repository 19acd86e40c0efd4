//! Runs that would take too long, or too much memory, end early.

use crate::TraceError;
use crate::allowance::{Allowance, Memory};
use crate::bounded::Clock;
use crate::bounded_cache::BoundedCache;
use crate::bounded_histogram::BoundedHistograms;
use crate::cache::CacheSink;
use crate::formula::{Affine, Formula};
use crate::program::{AccessStep, LoopCounter, LoopStep, Program, ProgramStep};
use crate::walk::{Recur, Stop, Unknowns, walk};
use crate::windows::HistogramSink;
use premiss_cache::CacheGeometry;
use premiss_histogram::Counted;
use premiss_tree::{
    AccessKind, ArrayId, Comparison, EntityRef, LoopId, ReferenceId, SecondaryMap, VariableId,
};
use std::sync::atomic::{AtomicUsize, Ordering};

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
    let mut allowance = Allowance::of_steps(budget);
    walk(program, 2, &bases, Unknowns::Bound, &mut allowance, sink).map(|_| ())
}

const CACHE: CacheGeometry = CacheGeometry {
    line_size: 64,
    sets: 64,
    ways: 12,
};

fn clock() -> Clock {
    Clock::new(vec![(0, i64::MAX / 4)], vec![true])
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
    let mut cache = CacheSink::new(CACHE, 1, 1).expect("it is a cache");
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
fn a_run_without_limit_passes_over_iterations_that_touch_one_line_more_each() {
    let program = moving_window(1000);
    let mut histogram = HistogramSink::new(64, 1, 1);
    assert_eq!(run(&program, u64::MAX, &mut histogram), Ok(()));
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

/// `for (r = 0; r < n; r++) for (i = 0; i < 8; i++) a[r + i]` with elements of a line.
fn moving_window(n: i64) -> Program {
    let (r, i) = (VariableId::new(0), VariableId::new(1));
    let access = ProgramStep::Access(AccessStep {
        reference: ReferenceId::new(0),
        array: ArrayId::new(0),
        kind: AccessKind::Load,
        size: 8,
        offset: Formula::Affine(Affine {
            constant: 0,
            terms: vec![(r, 64), (i, 64)],
        }),
    });
    let constant = |value| Formula::Affine(Affine::constant(value));
    let counted = |id, variable, bound| LoopCounter {
        id: LoopId::new(id),
        variable,
        first: constant(0),
        comparison: Comparison::Less,
        bound: constant(bound),
        step: constant(1),
    };
    let inner = LoopStep::new(counted(1, i, 8), vec![access], true);
    let inner = vec![ProgramStep::Loop(Box::new(inner))];
    let outer = LoopStep::new(counted(0, r, n), inner, true);
    Program {
        body: vec![ProgramStep::Loop(Box::new(outer))],
    }
}

#[test]
fn periods_that_are_passed_over_take_the_steps_of_their_lines() {
    let budget = 100_000;
    let mut bases = SecondaryMap::new();
    bases[ArrayId::new(0)] = 1 << 20;
    let run = |n: i64| {
        let mut sink = HistogramSink::new(64, 1, 1);
        let mut allowance = Allowance::of_steps(budget);
        let program = moving_window(n);
        let result = walk(
            &program,
            2,
            &bases,
            Unknowns::Bound,
            &mut allowance,
            &mut sink,
        );
        (result.map(|_| ()), sink.stack.len())
    };
    // Each iteration brings one line, and most are passed over.
    assert_eq!(run(20_000), (Ok(()), 20_007));
    let (result, n_lines) = run(1 << 40);
    assert_eq!(result, Err(Stop::Error(TraceError::Budget(budget))));
    assert!(n_lines < 1_000_000, "lines beyond the budget: {n_lines}");
}

#[test]
fn iterations_of_many_accesses_have_the_distances_of_few_at_a_time() {
    // a[i], a[i + 1], ..., all of which stay in their lines for a while.
    let iteration = |n_accesses: i64| -> Vec<ProgramStep> {
        let access = |idx: i64| {
            ProgramStep::Access(AccessStep {
                reference: ReferenceId::new(0),
                array: ArrayId::new(0),
                kind: AccessKind::Load,
                size: 8,
                offset: Formula::Affine(Affine {
                    constant: 64 * (idx * 7 % n_accesses),
                    terms: vec![(VariableId::new(0), 8)],
                }),
            })
        };
        (0..n_accesses).map(access).collect()
    };
    for n_accesses in [100, 300] {
        let constant = |value| Formula::Affine(Affine::constant(value));
        let header = LoopCounter {
            id: LoopId::new(0),
            variable: VariableId::new(0),
            first: constant(0),
            comparison: Comparison::Less,
            bound: constant(20),
            step: constant(1),
        };
        let step = LoopStep::new(header, iteration(n_accesses), true);
        let program = Program {
            body: vec![ProgramStep::Loop(Box::new(step))],
        };
        let mut sink = HistogramSink::new(64, 1, 1);
        assert_eq!(run(&program, u64::MAX, &mut sink), Ok(()));
        let histogram = sink.tallies[0].histogram();
        let addresses = (0..20)
            .flat_map(|i| (0..n_accesses).map(move |idx| 64 * (idx * 7 % n_accesses) + 8 * i));
        let distances = distances(addresses.map(|address| address / 64));
        for capacity in [1, 7, 50, 99, 100, 101, 299, 300, 301] {
            let is_miss = |distance: &&Option<usize>| distance.is_none_or(|x| capacity <= x);
            let misses = distances.iter().filter(is_miss).count();
            let found = histogram.misses(capacity as u64);
            assert_eq!(
                found,
                Counted::Exact(misses as u64),
                "{n_accesses}, {capacity}"
            );
        }
    }
}

/// How many other lines were accessed since the last access to each line; `None` for the first.
fn distances(lines: impl Iterator<Item = i64>) -> Vec<Option<usize>> {
    let mut stack: Vec<i64> = Vec::new();
    let of_line = |line: i64| {
        let found = stack.iter().rev().position(|other| *other == line);
        stack.retain(|other| *other != line);
        stack.push(line);
        found
    };
    lines.map(of_line).collect()
}

/// The greatest number of runs at a time that take more than their share.
fn most_large_at_once(share: u64) -> usize {
    let memory = Memory::new(u64::MAX);
    let (large, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        for _ in 0..20 {
            let mut allowance = Allowance::new(u64::MAX, &memory, share);
            allowance.spend(1 << 20, || 1000).expect("there is enough");
            if allowance.is_large() {
                most.fetch_max(large.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                std::thread::yield_now();
                large.fetch_sub(1, Ordering::SeqCst);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(work);
        }
    });
    most.into_inner()
}

#[test]
fn one_run_at_a_time_takes_more_than_its_share() {
    assert_eq!(most_large_at_once(999), 1);
    assert_eq!(most_large_at_once(1000), 0);
}

#[test]
fn a_run_that_fails_leaves_its_memory_to_others() {
    let memory = Memory::new(5000);
    let mut one = Allowance::new(u64::MAX, &memory, 10);
    assert_eq!(one.spend(1 << 20, || 4999), Ok(()));
    assert_eq!(one.spend(1 << 20, || 5001), Err(TraceError::Memory(5000)));
    drop(one);
    let mut other = Allowance::new(u64::MAX, &memory, 10);
    assert_eq!(other.spend(1 << 20, || 4999), Ok(()));
}
