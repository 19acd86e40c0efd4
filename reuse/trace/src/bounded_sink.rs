//! A bounded run of any kind, as a sink.

use crate::bounded::{self, Clock, Times};
use crate::bounded_watch::Watch;
use crate::run::AccessRun;
use crate::walk::{BranchPoint, Recur, Shortcut, Sink};

/// Looking at this many other lines for the distance of an access counts as a step.
const EXAMINED_IN_A_STEP: u64 = 16;

/// Counts bounds with the times of lines.
#[derive(Debug)]
pub(crate) struct Bounded<T: Times> {
    clock: Clock,
    pub(crate) lines: T,
    watch: Watch<T::Event>,
}

impl<T: Times> Bounded<T> {
    pub(crate) fn with(lines: T, clock: Clock) -> Self {
        Self {
            clock,
            lines,
            watch: Watch::new(),
        }
    }
}

impl<T: Times> Sink for Bounded<T> {
    const SHORTCUT: Shortcut = Shortcut::SameLines;

    fn run(&mut self, run: &AccessRun<'_>) -> u64 {
        let before = self.lines.n_examined();
        let cost = bounded::run(&mut self.lines, &mut self.clock, &mut self.watch, run);
        cost + (self.lines.n_examined() - before) / EXAMINED_IN_A_STEP
    }

    fn at_once(&self, run: &AccessRun<'_>) -> u64 {
        run.iterations_at_once(self.lines.line_size())
    }

    fn n_bytes(&self) -> u64 {
        self.lines.n_bytes()
    }

    fn opaque(&mut self) {
        self.clock.touch_anything();
        if self.watch.is_on() {
            for (line, state) in self.lines.all() {
                self.watch.note(line, Some(state));
            }
        }
        self.lines.clear();
    }

    fn at_branch(&mut self, point: BranchPoint) {
        self.clock.at_branch(point);
    }

    fn line_size(&self) -> i64 {
        self.lines.line_size()
    }

    fn begin(&mut self) {
        self.watch.begin(&self.clock, self.lines.version());
    }

    fn end(&mut self, times: u64) -> bool {
        self.watch.end(&mut self.clock, &mut self.lines, times)
    }
}

impl<T: Times> Recur for Bounded<T> {}
