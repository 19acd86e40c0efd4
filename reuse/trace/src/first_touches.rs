//! Misses that no cache can avoid where data decide what is executed: accesses that are sure to be made, to a line that
//! nothing can have touched before.
//!
//! Iterations that touch the lines of the one before touch none first. Once all lines of an array have been touched, its
//! accesses are passed over, and once those of all arrays have, the walk ends: an access that leaves its array could only
//! raise what is a lower bound anyway.

use crate::TraceError;
use crate::allowance::Allowance;
use crate::execution::{Execution, PerReference};
use crate::line_table::{LineTable, NONE};
use crate::run::{AccessRun, LineNumber, RunAccess, line_of, lines, stay};
use crate::walk::{Recur, Shortcut, Sink, Stop, Unknowns, walk};
use premiss_tree::{ArrayId, EntityRef};

/// Lines with their bits in one number.
const LINES: u32 = 16;

/// Counts for each reference the accesses that are sure to touch a line first.
struct FirstTouches {
    line_size: i64,
    /// For each [`LINES`] lines, which of them have been touched, as bits.
    lines: LineTable,
    counts: Vec<u64>,
    /// The first and the last line of each array.
    spans: Vec<(LineNumber, LineNumber)>,
    /// Those of arrays any line of which may have been touched.
    uncertain: Vec<(LineNumber, LineNumber)>,
    /// How many lines of each array have not been touched by an access of known address.
    left: Vec<u64>,
    /// Whether nothing more is to be counted.
    is_over: bool,
    /// Of the run under way.
    entrances: Vec<Entrance>,
}

/// An access of a run.
struct Entrance {
    /// Its place in the run.
    position: usize,
    /// Whether it enters a line in every iteration; if not, the one in which it enters the next.
    is_fast: bool,
    next: u64,
}

impl Execution<'_> {
    /// For each reference, how many of its accesses are sure to touch a line of some size first.
    pub(crate) fn first_touches(&self, line_size: u64) -> Result<PerReference<u64>, TraceError> {
        let line_size = line_size.cast_signed();
        let areas = self
            .tree
            .arrays
            .keys()
            .map(|array| self.areas[array].ends());
        let spans: Vec<_> = areas
            .map(|(low, high)| (line_of(low, line_size), line_of(high, line_size)))
            .collect();
        let mut sink = FirstTouches {
            line_size,
            lines: LineTable::default(),
            counts: vec![0; self.n_references()],
            left: spans.iter().map(n_lines).collect(),
            spans,
            uncertain: Vec::new(),
            is_over: false,
            entrances: Vec::new(),
        };
        let result = walk(
            &self.program,
            self.tree.variables.len(),
            self.bases(),
            Unknowns::Bound,
            &mut Allowance::of_steps(self.budget),
            &mut sink,
        );
        match result {
            Err(Stop::Error(error)) if !sink.is_over => Err(error),
            Err(Stop::Overflow(reference)) => Err(self.overflow(reference)),
            _ => Ok(self.per_reference(|id| sink.counts[id.index()])),
        }
    }
}

impl FirstTouches {
    /// Notes that a line may have been touched; returns whether it was the first time.
    fn touch(&mut self, line: LineNumber) -> bool {
        let number = line >> LINES.trailing_zeros();
        let bit = 1 << (line & i64::from(LINES - 1));
        let bits = Some(self.lines.get(number)).filter(|bits| *bits != NONE);
        let bits = bits.unwrap_or(0);
        if bits & bit != 0 {
            return false;
        }
        self.lines.set(number, bits | bit);
        let holds = |(first, last): &(LineNumber, LineNumber)| (*first..=*last).contains(&line);
        for (left, span) in self.left.iter_mut().zip(&self.spans) {
            *left -= u64::from(holds(span));
        }
        self.is_over |= self.left.iter().all(|left| *left == 0);
        !self.uncertain.iter().any(holds)
    }

    /// Makes an access of a run in an iteration.
    fn access(&mut self, access: &RunAccess, t: u64) {
        let Some(address) = access.address_at(t) else {
            return self.touch_any(access.array);
        };
        let (first, last) = lines(address, access.size, self.line_size);
        let mut is_first = false;
        for line in first..=last {
            is_first |= self.touch(line);
        }
        if is_first && access.certain {
            self.counts[access.reference.index()] += 1;
        }
    }

    /// Any line of an array may have been touched.
    fn touch_any(&mut self, array: ArrayId) {
        let span = self.spans[array.index()];
        if !self.uncertain.contains(&span) {
            self.uncertain.push(span);
        }
    }
}

impl FirstTouches {
    /// Makes some accesses of a run; returns how many that were, and one.
    fn run_with(&mut self, entrances: &mut [Entrance], run: &AccessRun<'_>) -> u64 {
        let (mut t, mut cost) = (0, 1);
        while t < run.iterations && !entrances.is_empty() && !self.is_over {
            let mut after = run.iterations;
            for entrance in &mut *entrances {
                if entrance.is_fast || entrance.next == t {
                    self.access(&run.accesses[entrance.position], t);
                    cost += 1;
                }
                if !entrance.is_fast {
                    if entrance.next == t {
                        let stays = stay_of(&run.accesses[entrance.position], t, self.line_size);
                        entrance.next = t.saturating_add(stays);
                    }
                    after = after.min(entrance.next);
                }
            }
            t += 1;
            let fast = entrances.iter().filter(|entrance| entrance.is_fast);
            let n_fast = fast.count() as u64;
            if n_fast == 0 {
                t = after;
                continue;
            }
            cost += (after - t) * n_fast;
            for t in t..after {
                for entrance in entrances.iter().filter(|entrance| entrance.is_fast) {
                    self.access(&run.accesses[entrance.position], t);
                }
            }
            t = after;
        }
        cost
    }
}

impl Sink for FirstTouches {
    const SHORTCUT: Shortcut = Shortcut::SameLines;

    fn run(&mut self, run: &AccessRun<'_>) -> u64 {
        let mut entrances = std::mem::take(&mut self.entrances);
        entrances.clear();
        for (position, access) in run.accesses.iter().enumerate() {
            if 0 < self.left[access.array.index()] {
                entrances.push(Entrance {
                    position,
                    is_fast: access.address.is_some() && self.line_size <= access.stride.abs(),
                    next: 0,
                });
            }
        }
        let cost = self.run_with(&mut entrances, run);
        self.entrances = entrances;
        match self.is_over {
            // Spends the rest of the budget: nothing more is to be counted.
            true => u64::MAX,
            false => cost,
        }
    }

    fn at_once(&self, run: &AccessRun<'_>) -> u64 {
        run.iterations_at_once(self.line_size)
    }

    fn n_bytes(&self) -> u64 {
        self.lines.n_bytes()
    }

    fn opaque(&mut self) {
        self.is_over = true;
    }

    fn line_size(&self) -> i64 {
        self.line_size
    }

    /// What an iteration has touched, those that touch the same lines do not touch first.
    fn end(&mut self, _times: u64) -> bool {
        true
    }
}

impl Recur for FirstTouches {}

/// For how many iterations from one on an access stays in the lines that it is in.
fn stay_of(access: &RunAccess, t: u64, line_size: i64) -> u64 {
    let Some(address) = access.address_at(t) else {
        return u64::MAX;
    };
    let last = address + i64::from(access.size.max(1)) - 1;
    let of = |end| stay(end, access.stride, line_size);
    of(address).min(of(last))
}

/// How many lines there are from one to another.
fn n_lines((first, last): &(LineNumber, LineNumber)) -> u64 {
    last.abs_diff(*first).saturating_add(1)
}
