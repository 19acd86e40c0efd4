//! A bounded run of any kind, as a sink.

use crate::bounded::{self, Clock, Times};
use crate::bounded_watch::Watch;
use crate::run::AccessRun;
use crate::walk::{Recur, Shortcut, Sink};

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
        bounded::run(&mut self.lines, &mut self.clock, &mut self.watch, run)
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

    fn line_size(&self) -> i64 {
        self.lines.line_size()
    }

    fn begin(&mut self) {
        self.watch.begin(&self.clock);
    }

    fn end(&mut self, times: u64) -> bool {
        self.watch.end(&mut self.clock, &mut self.lines, times)
    }
}

impl<T: Times> Recur for Bounded<T> {}
