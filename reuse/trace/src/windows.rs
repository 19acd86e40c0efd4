//! Reuse-distance histograms.
//!
//! The lines that a run is in are kept out of the LRU stack, in a *window*: the lines of the last
//! iteration. An access to a line of the window, or to one that the same iteration has touched, has a
//! distance that can be counted off there; only a line that comes from elsewhere is looked up in the
//! stack, below which nothing in the window can be. As long as no access changes its line, every
//! iteration is like the one before, and its distances count as often as it is repeated.
//!
//! What an iteration does depends only on which of its accesses and of those of the one before are to
//! the same lines. It is worked out once for each such pattern of a run, as a *script*.

use crate::grouping;
use crate::run::{AccessRun, LineNumber, RunAccess, line_of, lines, stay};
use crate::stack::{LruStack, StackEntry};
use crate::sweep::Ranges;
use crate::tally::Tally;
use crate::walk::{Shortcut, Sink};
use premiss_histogram::Distance;
use premiss_tree::EntityRef;

/// Counts the reuse distances of each reference.
#[derive(Debug)]
pub(crate) struct HistogramSink {
    line_size: i64,
    pub(crate) stack: LruStack,
    pub(crate) tallies: Vec<Tally>,
    pub(crate) weight: u64,
    pub(crate) work: u64,
    /// The greatest finite distance since the period under way began.
    pub(crate) greatest: Option<u64>,
    /// The lines accessed for the first time, in order, while a period is under way.
    pub(crate) cold: Vec<StackEntry>,
    pub(crate) periods: usize,
    /// Whether some line has been accessed by more than one array.
    pub(crate) any_shared: bool,
    pub(crate) ranges: Ranges,
    window: Window,
}

/// Iterations of more accesses than this are run access by access: a script takes steps that grow with the third power of
/// their number.
const MOST_IN_WINDOW: usize = 128;

/// With more scripts than this, a run has no pattern.
const MOST_SCRIPTS: usize = 16;

/// Where an access meets no other.
const NOWHERE: usize = usize::MAX;

/// The lines of the iterations under way.
#[derive(Debug, Default)]
struct Window {
    /// The lines of the accesses in the last iteration; empty before the first.
    old: Vec<LineNumber>,
    new: Vec<LineNumber>,
    /// The iterations in which accesses change their lines next.
    until: Vec<u64>,
    pattern: Pattern,
    scripts: Vec<Script>,
}

/// Which accesses are to the same lines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Pattern {
    /// For each access of an iteration, the last one before it to the same line: its position, plus
    /// the number of accesses where it is in the iteration before; or [`NOWHERE`].
    new: Vec<usize>,
    /// The same for the iteration before, as far as it is within it.
    old: Vec<usize>,
}

/// What an iteration of a certain pattern does.
#[derive(Debug)]
struct Script {
    pattern: Pattern,
    /// By position.
    accesses: Vec<Action>,
    /// Positions whose lines in the iteration before leave the window.
    leaving: Vec<usize>,
}

/// What an access does.
#[derive(Clone, Copy, Debug)]
enum Action {
    /// It finds its line in the window, at a distance.
    Find(u64),
    /// It brings its line in; this many lines of the window were accessed meanwhile.
    BringIn(u64),
}

impl Window {
    /// Starts at the first iteration of a run.
    fn start(&mut self, run: &AccessRun<'_>, line_size: i64) {
        self.old.clear();
        self.new.clear();
        self.until.clear();
        self.pattern.new.clear();
        self.pattern.old.clear();
        self.scripts.clear();
        for access in run.accesses {
            let address = access.address.unwrap_or(0);
            self.new.push(line_of(address, line_size));
            self.until.push(stay(address, access.stride, line_size));
        }
    }

    /// The next iteration in which an access changes its line.
    fn next_change(&self) -> u64 {
        self.until.iter().copied().fold(u64::MAX, u64::min)
    }

    /// Goes on to an iteration in which some access changes its line.
    fn advance(&mut self, run: &AccessRun<'_>, t: u64, line_size: i64) {
        for (position, access) in run.accesses.iter().enumerate() {
            if self.until[position] == t {
                let address = access.address_at(t).unwrap_or(0);
                self.new[position] = line_of(address, line_size);
                let stays = stay(address, access.stride, line_size);
                self.until[position] = t.saturating_add(stays);
            }
        }
    }

    /// Finds the pattern of the iteration under way.
    fn look(&mut self) {
        let n_accesses = self.new.len();
        let Pattern { new, old } = &mut self.pattern;
        // What was new is old now; it meets what it did, unless that has left the window.
        std::mem::swap(new, old);
        for met in old.iter_mut().filter(|met| n_accesses <= **met) {
            *met = NOWHERE;
        }
        new.clear();
        for (position, line) in self.new.iter().enumerate() {
            let is_same = |other: &LineNumber| other == line;
            let this = self.new[..position].iter().rposition(is_same);
            let before = || {
                self.old
                    .iter()
                    .rposition(is_same)
                    .map(|idx| idx + n_accesses)
            };
            new.push(this.or_else(before).unwrap_or(NOWHERE));
        }
    }

    /// The script for the pattern, where there is one already.
    fn known_script(&self) -> Option<usize> {
        let fits = |script: &Script| script.pattern == self.pattern;
        self.scripts.iter().position(fits)
    }

    /// Writes a script for the pattern.
    fn new_script(&mut self) -> usize {
        if self.scripts.len() == MOST_SCRIPTS {
            self.scripts.clear();
        }
        let accesses = 0..self.new.len();
        self.scripts.push(Script {
            pattern: self.pattern.clone(),
            accesses: accesses.map(|position| self.action(position)).collect(),
            leaving: self.leaving(),
        });
        self.scripts.len() - 1
    }

    fn action(&self, position: usize) -> Action {
        let this = &self.new[..position];
        match self.pattern.new[position] {
            NOWHERE => Action::BringIn(distinct(&self.old, this)),
            met if met < position => Action::Find(distinct(&[], &this[met + 1..])),
            met => Action::Find(distinct(&self.old[met - self.new.len() + 1..], this)),
        }
    }

    /// Whose lines in the last iteration this one does not touch.
    fn leaving(&self) -> Vec<usize> {
        let is_last = |(idx, line): &(usize, &LineNumber)| {
            !self.new.contains(line) && !self.old[idx + 1..].contains(line)
        };
        let lines = self.old.iter().enumerate().filter(is_last);
        lines.map(|(idx, _)| idx).collect()
    }

    /// Whether accesses of different arrays meet.
    fn is_shared(&self, run: &AccessRun<'_>) -> bool {
        let accesses = run.accesses.iter().zip(&self.pattern.new);
        accesses
            .filter(|(_, met)| **met != NOWHERE)
            .any(|(access, met)| {
                let other = &run.accesses[met % run.accesses.len()];
                other.array != access.array
            })
    }
}

impl HistogramSink {
    pub(crate) fn new(line_size: i64, n_references: usize, n_arrays: usize) -> Self {
        Self {
            line_size,
            stack: LruStack::new(),
            tallies: vec![Tally::default(); n_references],
            weight: 1,
            work: 0,
            greatest: None,
            cold: Vec::new(),
            periods: 0,
            any_shared: false,
            ranges: Ranges::new(n_arrays),
            window: Window::default(),
        }
    }

    pub(crate) fn line_size(&self) -> i64 {
        self.line_size
    }

    fn record(&mut self, access: &RunAccess, distance: Distance, times: u64) {
        if let Distance::Finite(distance) = distance {
            self.greatest = self.greatest.max(Some(distance));
        }
        self.tallies[access.reference.index()].add(distance, times * self.weight);
    }

    /// Brings in a line that is not in the window; returns the number of lines of the stack that
    /// were accessed since, or `None` where it was never accessed.
    fn bring_in(&mut self, line: LineNumber, owner: u32) -> Option<u64> {
        self.work += 1;
        let found = self.stack.take(line);
        match found {
            Some((_, other)) => self.any_shared |= other != owner,
            None if 0 < self.periods => self.cold.push(StackEntry { line, owner }),
            None => {}
        }
        found.map(|(depth, _)| depth)
    }

    fn run_in_windows(&mut self, run: &AccessRun<'_>) {
        let mut window = std::mem::take(&mut self.window);
        window.start(run, self.line_size);
        let mut t = 0;
        while t < run.iterations {
            let stretch = window.next_change().min(run.iterations) - t;
            self.iteration(run, &mut window, 1);
            if 1 < stretch {
                self.iteration(run, &mut window, stretch - 1);
            }
            t += stretch;
            if t < run.iterations {
                window.advance(run, t, self.line_size);
            }
        }
        window.new.clear();
        for idx in window.leaving() {
            self.retire(run, &window, idx);
        }
        self.window = window;
    }

    /// Counts an iteration whose lines are `new`, `times` over; afterwards `old` equals `new`.
    fn iteration(&mut self, run: &AccessRun<'_>, window: &mut Window, times: u64) {
        window.look();
        let known = window.known_script();
        let script = known.unwrap_or_else(|| {
            self.any_shared |= window.is_shared(run);
            window.new_script()
        });
        let script = &window.scripts[script];
        for (position, access) in run.accesses.iter().enumerate() {
            let distance = match script.accesses[position] {
                Action::Find(distance) => Distance::Finite(distance),
                Action::BringIn(others) => {
                    let depth = self.bring_in(window.new[position], access.array.as_u32());
                    depth.map_or(Distance::Infinite, |depth| Distance::Finite(depth + others))
                }
            };
            self.record(access, distance, times);
        }
        for idx in &script.leaving {
            self.retire(run, window, *idx);
        }
        window.old.clone_from(&window.new);
    }

    /// Puts a line of the last iteration onto the stack.
    fn retire(&mut self, run: &AccessRun<'_>, window: &Window, idx: usize) {
        let owner = run.accesses[idx].array.as_u32();
        self.stack.put(window.old[idx], owner);
    }

    /// Runs every iteration access by access, touching both lines of one that lies in two.
    fn run_plainly(&mut self, run: &AccessRun<'_>) {
        for t in 0..run.iterations {
            for access in run.accesses {
                let address = access.address_at(t).unwrap_or(0);
                let (first, last) = lines(address, access.size, self.line_size);
                let owner = access.array.as_u32();
                let mut farthest = Distance::Finite(0);
                for line in first..=last {
                    let depth = self.bring_in(line, owner);
                    self.stack.put(line, owner);
                    farthest = farthest.max(depth.map_or(Distance::Infinite, Distance::Finite));
                }
                self.record(access, farthest, 1);
            }
        }
    }
}

/// The number of distinct lines in two short lists.
fn distinct(a: &[LineNumber], b: &[LineNumber]) -> u64 {
    let mut count = 0;
    for (idx, line) in a.iter().enumerate() {
        count += u64::from(!a[..idx].contains(line));
    }
    for (idx, line) in b.iter().enumerate() {
        count += u64::from(!a.contains(line) && !b[..idx].contains(line));
    }
    count
}

impl Sink for HistogramSink {
    const SHORTCUT: Shortcut = Shortcut::Recurring;

    fn at_once(&self, run: &AccessRun<'_>) -> u64 {
        run.iterations_at_once(self.line_size)
    }

    fn n_bytes(&self) -> u64 {
        let tallies: u64 = self.tallies.iter().map(Tally::n_bytes).sum();
        let cold = self.cold.capacity() * size_of::<StackEntry>();
        self.stack.n_bytes() + tallies + cold as u64
    }

    fn run(&mut self, run: &AccessRun<'_>) -> u64 {
        let before = self.work;
        self.ranges.note(run);
        let line_size = self.line_size;
        let mut accesses = run.accesses.iter();
        if MOST_IN_WINDOW < run.accesses.len()
            || accesses.any(|access| grouping::may_straddle(access, line_size))
        {
            self.run_plainly(run);
        } else {
            self.run_in_windows(run);
        }
        self.work - before + 1
    }

    fn set_weight(&mut self, weight: u64) {
        self.weight = weight;
    }
}
