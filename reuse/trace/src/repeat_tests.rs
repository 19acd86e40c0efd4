//! Walks that pass over iterations against those that take every one, on random steps in which data decide.

use crate::allowance::Allowance;
use crate::bounded::{Clock, Times};
use crate::bounded_cache::{BoundedCache, TimesBySet};
use crate::bounded_histogram::{BoundedHistograms, TimesOfLines};
use crate::bounded_sink::Bounded;
use crate::formula::{Affine, Formula};
use crate::program::{AccessStep, LoopCounter, LoopStep, Program, ProgramStep, collect_assigned};
use crate::run::AccessRun;
use crate::walk::{BranchPoint, Recur, Shortcut, Sink, Unknowns, walk};
use premiss_cache::CacheGeometry;
use premiss_tree::{
    AccessKind, ArrayId, Comparison, EntityRef, LoopId, ReferenceId, SecondaryMap, VariableId,
};
use std::collections::BTreeSet;

/// A sink that is walked through every iteration.
struct Plain<T: Times>(Bounded<T>, u64);

impl<T: Times> Sink for Plain<T> {
    const SHORTCUT: Shortcut = Shortcut::Never;

    fn run(&mut self, run: &AccessRun<'_>) -> u64 {
        self.1 += 1;
        self.0.run(run)
    }

    fn at_once(&self, _run: &AccessRun<'_>) -> u64 {
        1
    }

    fn opaque(&mut self) {
        self.0.opaque();
    }

    fn at_branch(&mut self, point: BranchPoint) {
        self.0.at_branch(point);
    }
}

impl<T: Times> Recur for Plain<T> {}

/// A sink with the number of its runs.
struct CountingSink<T: Times>(Bounded<T>, u64);

impl<T: Times> Sink for CountingSink<T> {
    const SHORTCUT: Shortcut = Shortcut::SameLines;

    fn run(&mut self, run: &AccessRun<'_>) -> u64 {
        self.1 += 1;
        self.0.run(run)
    }

    fn opaque(&mut self) {
        self.0.opaque();
    }

    fn at_branch(&mut self, point: BranchPoint) {
        self.0.at_branch(point);
    }

    fn line_size(&self) -> i64 {
        self.0.line_size()
    }

    fn begin(&mut self) {
        self.0.begin();
    }

    fn end(&mut self, times: u64) -> bool {
        self.0.end(times)
    }
}

impl<T: Times> Recur for CountingSink<T> {}

const N_ARRAYS: usize = 4;
const ARRAY: i64 = 192;

/// Random steps.
struct Grower {
    seed: u64,
    n_variables: usize,
    n_references: usize,
    n_loops: usize,
    steps: usize,
    /// The most steps.
    most: usize,
    /// In how many of 40 steps anything may be accessed, at most 4.
    opaque: usize,
    scope: Vec<VariableId>,
}

impl Grower {
    fn below(&mut self, limit: usize) -> usize {
        self.seed = self
            .seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.seed >> 33).unwrap() % limit
    }

    fn one_of<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.below(options.len())]
    }

    fn block(&mut self, most: usize) -> Vec<ProgramStep> {
        let count = 1 + self.below(most);
        (0..count).map(|_| self.step()).collect()
    }

    fn step(&mut self) -> ProgramStep {
        self.steps += 1;
        if self.most < self.steps {
            return self.access();
        }
        match self.below(20) {
            0..=6 if self.scope.len() < 5 => self.repeat(),
            7..=9 => self.branch(),
            10 | 12 if self.below(4) < self.opaque => ProgramStep::Opaque,
            11 if !self.scope.is_empty() => self.assign(),
            _ => self.access(),
        }
    }

    fn repeat(&mut self) -> ProgramStep {
        let variable = self.variable();
        let count = self.one_of(&[1, 2, 3, 3, 4, 7]);
        let bound = match self.below(30) {
            0 => Formula::Unknown,
            1 if !self.scope.is_empty() => self.affine(&[1]),
            _ => constant(count),
        };
        self.n_loops += 1;
        let id = LoopId::new(self.n_loops - 1);
        self.scope.push(variable);
        let body = self.block(4);
        self.scope.pop();
        let header = LoopCounter {
            id,
            variable,
            first: constant(0),
            comparison: Comparison::Less,
            bound,
            step: constant(1),
        };
        ProgramStep::Loop(Box::new(LoopStep::new(header, body, true)))
    }

    fn branch(&mut self) -> ProgramStep {
        let condition = match self.below(5) {
            0 if !self.scope.is_empty() => self.affine(&[1]),
            _ => Formula::Unknown,
        };
        let then = self.block(3);
        let otherwise = match self.below(3) {
            0 => self.block(2),
            _ => Vec::new(),
        };
        let mut assigned = BTreeSet::new();
        collect_assigned(&then, &mut assigned);
        collect_assigned(&otherwise, &mut assigned);
        ProgramStep::Branch {
            condition,
            then,
            otherwise,
            assigned: assigned.into_iter().collect(),
        }
    }

    fn assign(&mut self) -> ProgramStep {
        let value = match self.below(4) {
            0 => Formula::Unknown,
            1 => constant(2),
            _ => self.affine(&[1, 8]),
        };
        let variable = self.variable();
        self.scope.push(variable);
        ProgramStep::Assign { variable, value }
    }

    fn access(&mut self) -> ProgramStep {
        let offset = match self.below(9) {
            0 if self.below(3) == 0 => Formula::Unknown,
            0..=4 if !self.scope.is_empty() => self.affine(&[8, 8, 8, 24, -8, 64]),
            _ => constant(8 * i64::try_from(self.below(12)).unwrap()),
        };
        self.n_references += 1;
        ProgramStep::Access(AccessStep {
            reference: ReferenceId::new(self.n_references - 1),
            array: ArrayId::new(self.below(N_ARRAYS)),
            kind: AccessKind::Load,
            size: self.one_of(&[8, 8, 8, 4, 16]),
            offset,
        })
    }

    fn affine(&mut self, factors: &[i64]) -> Formula {
        let variable = self.one_of(&self.scope.clone());
        let mut terms = vec![(variable, self.one_of(factors))];
        let other = self.one_of(&self.scope.clone());
        if self.below(3) == 0 && variable < other {
            terms.push((other, 8));
        }
        let constant = self.one_of(&[0, 0, 8, 40]);
        Formula::Affine(Affine { constant, terms })
    }

    fn variable(&mut self) -> VariableId {
        self.n_variables += 1;
        VariableId::new(self.n_variables - 1)
    }
}

fn constant(value: i64) -> Formula {
    Formula::Affine(Affine::constant(value))
}

/// The steps in few lines.
fn text(steps: &[ProgramStep], depth: usize) -> String {
    let formula = |formula: &Formula| match formula {
        Formula::Affine(x) => format!("{}+{:?}", x.constant, x.terms),
        _ => "?".to_owned(),
    };
    let inside = |steps: &[ProgramStep]| text(steps, depth + 1);
    let line = |step: &ProgramStep| match step {
        ProgramStep::Access(x) => format!(
            "{} {}[{}] {}",
            x.reference,
            x.array,
            formula(&x.offset),
            x.size
        ),
        ProgramStep::Loop(x) => {
            let (variable, bound) = (x.header.variable, formula(&x.header.bound));
            format!("for {variable} < {bound}{}", inside(&x.body))
        }
        ProgramStep::Branch {
            condition,
            then,
            otherwise,
            ..
        } => {
            let (then, otherwise) = (inside(then), inside(otherwise));
            format!("if {}{then} else{otherwise}", formula(condition))
        }
        ProgramStep::Assign { variable, value } => format!("{variable} = {}", formula(value)),
        ProgramStep::Opaque => "opaque".to_owned(),
    };
    let lines = steps
        .iter()
        .map(|step| format!("\n{}{}", "  ".repeat(depth), line(step)));
    lines.collect()
}

struct RandomNest {
    program: Program,
    grower: Grower,
}

impl RandomNest {
    fn new(seed: u64, opaque: usize) -> Self {
        let mut grower = Grower {
            seed: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            n_variables: 0,
            n_references: 0,
            n_loops: 0,
            steps: 0,
            most: 4 + usize::try_from(seed / 150).unwrap(),
            opaque,
            scope: Vec::new(),
        };
        let n_nests = 1 + grower.below(3);
        let body = (0..n_nests).map(|_| grower.repeat()).collect();
        Self {
            program: Program { body },
            grower,
        }
    }

    /// Runs a sink; false where it came to no end.
    fn run<S: Recur>(&self, sink: &mut S) -> bool {
        let mut bases = SecondaryMap::new();
        for array in 0..N_ARRAYS {
            bases[ArrayId::new(array)] = 4096 + array as u64 * ARRAY.cast_unsigned();
        }
        let budget = 2_000_000;
        let n_variables = self.grower.n_variables;
        let program = &self.program;
        let mut allowance = Allowance::of_steps(budget);
        walk(
            program,
            n_variables,
            &bases,
            Unknowns::Bound,
            &mut allowance,
            sink,
        )
        .is_ok()
    }

    fn clock() -> Clock {
        let start = |array: usize| 4096 + i64::try_from(array).unwrap() * ARRAY;
        let area = |array| (start(array), start(array) + ARRAY - 1);
        // Some arrays have a known end.
        let is_closed = (0..N_ARRAYS).map(|array| array < N_ARRAYS - 1);
        Clock::new((0..N_ARRAYS).map(area).collect(), is_closed.collect())
    }

    /// (runs of the plain walk, runs of the one that passes over iterations), both of a cache.
    fn check_cache(&self, geometry: CacheGeometry) -> Option<(u64, u64)> {
        let new = || -> BoundedCache {
            let n_references = self.grower.n_references;
            Bounded::<TimesBySet>::new(geometry, n_references, Self::clock()).unwrap()
        };
        let (mut plain, mut short) = (Plain(new(), 0), CountingSink(new(), 0));
        if !self.run(&mut plain) {
            return None;
        }
        assert!(self.run(&mut short), "{}", text(&self.program.body, 0));
        assert_eq!(
            plain.0.joint_misses(),
            short.0.joint_misses(),
            "{geometry:?} {}",
            text(&self.program.body, 0)
        );
        for idx in 0..self.grower.n_references {
            let (expected, found) = (plain.0.misses(idx), short.0.misses(idx));
            assert_eq!(
                expected,
                found,
                "r{idx} {geometry:?} {}",
                text(&self.program.body, 0)
            );
        }
        Some((plain.1, short.1))
    }

    fn check_histograms(&self, line_size: i64) -> Option<(u64, u64)> {
        let new = || -> BoundedHistograms {
            Bounded::<TimesOfLines>::new(line_size, self.grower.n_references, Self::clock())
        };
        let (mut plain, mut short) = (Plain(new(), 0), CountingSink(new(), 0));
        if !self.run(&mut plain) {
            return None;
        }
        assert!(self.run(&mut short), "{}", text(&self.program.body, 0));
        for idx in 0..self.grower.n_references {
            let (expected, found) = (plain.0.histogram(idx), short.0.histogram(idx));
            assert_eq!(
                expected,
                found,
                "r{idx} {line_size} {}",
                text(&self.program.body, 0)
            );
        }
        Some((plain.1, short.1))
    }
}

/// Compares both walks of many programs with caches of so many sets and ways; returns how many runs the plain one
/// took, and the other.
fn compare(seeds: u64, opaque: usize, caches: [(u64, u64); 3]) -> (u64, u64) {
    let (mut all, mut taken) = (0, 0);
    let mut add = |runs: Option<(u64, u64)>| {
        let (plain, short) = runs.unwrap_or_default();
        all += plain;
        taken += short;
    };
    for seed in 0..seeds {
        let case = RandomNest::new(seed, opaque);
        for (sets, ways) in caches {
            add(case.check_cache(CacheGeometry {
                line_size: 64,
                sets,
                ways,
            }));
        }
        add(case.check_histograms(64));
        add(case.check_histograms(24));
    }
    (all, taken)
}

#[test]
fn passing_over_iterations_changes_no_count() {
    let (all, taken) = compare(3000, 1, [(1, 4), (2, 2), (4, 8)]);
    assert!(10 * taken < 8 * all, "{taken} of {all} runs were taken");
}

/// Sets in which lines are forgotten one by one, and all at once where anything may have been accessed.
#[test]
fn what_was_forgotten_before_anything_was_accessed_does_not_matter() {
    let (all, taken) = compare(2000, 4, [(1, 1), (1, 2), (2, 1)]);
    assert!(10 * taken < 8 * all, "{taken} of {all} runs were taken");
}
