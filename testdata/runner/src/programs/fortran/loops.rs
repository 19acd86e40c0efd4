//! Loops of Fortran.

use super::Writer;
use crate::programs::marked::{counted_only, plain_only};

impl Writer {
    /// A loop of any kind.
    pub(super) fn any_loop(&mut self, depth: usize) {
        match self.decisions.choose("any_loop", 10) {
            0 => self.while_loop(depth),
            1 => self.endless_loop(depth),
            2 => self.jump_back(depth),
            3 => self.labelled_loop(depth),
            4 => self.concurrent(),
            _ => self.do_loop(depth),
        }
    }

    /// The body of a loop that may use a counter.
    fn body(&mut self, depth: usize, counter: &str, ways: &[String]) {
        let scope = self.scope.clone();
        self.scope.integers.push(counter.to_owned());
        self.scope
            .exits
            .retain(|exit| exit != "exit" && exit != "cycle");
        self.scope.exits.extend(ways.iter().cloned());
        self.statements(depth);
        self.scope = scope;
    }

    /// A bound: a size, a number, or something around them.
    fn bound(&mut self) -> String {
        match self.decisions.choose("bound", 8) {
            0 => self.decisions.within(0, 9).to_string(),
            1 => format!("{} + 2", self.integer()),
            2 => format!("{} - 1", self.integer()),
            3 => format!("{} / 2", self.integer()),
            4 => format!("min({}, {})", self.integer(), self.integer()),
            _ => self.integer(),
        }
    }

    /// Bounds and a step.
    fn range(&mut self) -> String {
        let (first, bound) = (self.decisions.within(-1, 3), self.bound());
        match self.decisions.choose("range", 6) {
            0 => format!("{bound}, {first}, -1"),
            1 => format!("{first}, {bound}, {}", self.decisions.within(2, 3)),
            2 => format!("{}, {bound}", self.integer()),
            3 => format!("{bound}, {first}, -2"),
            _ => format!("{first}, {bound}"),
        }
    }

    fn do_loop(&mut self, depth: usize) {
        let (i, range) = (self.name("i"), self.range());
        let ways =
            |names: &[&str]| -> Vec<String> { names.iter().map(|x| (*x).to_owned()).collect() };
        if self.decisions.once_in(3) {
            let label = self.name("outer");
            self.open(&format!("{label}: do {i} = {range}"));
            let named = [format!("exit {label}"), format!("cycle {label}")];
            self.body(depth, &i, &[&ways(&["exit", "cycle"])[..], &named].concat());
            self.close(&format!("end do {label}"));
        } else {
            self.open(&format!("do {i} = {range}"));
            self.body(depth, &i, &ways(&["exit", "cycle"]));
            self.close("end do");
        }
        // A counter has a value after its loop.
        if self.decisions.once_in(3) {
            let k = self.decisions.one_name(&self.scope.variables.clone());
            self.write(&format!("{k} = {i}"));
        }
    }

    fn counter(&mut self) -> String {
        let (k, first) = (self.name("k"), self.decisions.within(0, 2));
        self.write(&format!("{k} = {first}"));
        k
    }

    fn while_loop(&mut self, depth: usize) {
        let (k, bound) = (self.counter(), self.bound());
        self.open(&format!("do while ({k} < {bound})"));
        let step = self.decisions.within(1, 2);
        self.write(&format!("{k} = {k} + {step}"));
        self.body(depth, &k, &["exit".to_owned(), "cycle".to_owned()]);
        self.close("end do");
    }

    fn endless_loop(&mut self, depth: usize) {
        let (k, bound) = (self.counter(), self.bound());
        self.open("do");
        self.write(&format!("if ({k} >= {bound}) exit"));
        self.write(&format!("{k} = {k} + 1"));
        self.body(depth, &k, &["exit".to_owned(), "cycle".to_owned()]);
        self.close("end do");
    }

    /// A number that labels a statement.
    fn label(&mut self) -> usize {
        100 + self.next_number()
    }

    fn jump_back(&mut self, depth: usize) {
        let (k, label, bound) = (self.counter(), self.label(), self.bound());
        let tick = counted_only("; call tick()");
        self.write(&format!("{label} continue{tick}"));
        self.body(depth, &k, &[]);
        self.write(&format!("{k} = {k} + 1"));
        self.write(&format!("if ({k} < {bound}) goto {label}"));
    }

    /// Two loops that end with the same statement.
    fn labelled_loop(&mut self, depth: usize) {
        let (i, j, label) = (self.name("i"), self.name("j"), self.label());
        let (outer, inner) = (self.range(), self.range());
        self.open(&format!("do {label} {i} = {outer}"));
        let scope = self.scope.clone();
        self.scope.integers.push(i);
        self.open(&format!("do {label} {j} = {inner}"));
        self.body(depth, &j, &[format!("goto {label}")]);
        self.scope = scope;
        self.indent -= 1;
        self.close(&format!("{label} continue"));
    }

    /// A loop in any order, in which counters may count only if it has one.
    fn concurrent(&mut self) {
        let (i, bound) = (self.name("i"), self.bound());
        let plain = plain_only(&format!("concurrent ({i} = 1:{bound})"));
        let counted = counted_only(&format!("{i} = 1, {bound}"));
        self.open(&format!("do {plain}{counted}"));
        let store = self.count(1, "1");
        let load = self.load(&format!("c({i} + 2)"));
        self.write(&format!("{store}a({i}) = {load}"));
        self.close("end do");
    }
}
