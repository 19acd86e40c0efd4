//! Loops of C.

use super::Writer;
use crate::programs::marked::counted_only;

impl Writer {
    /// A loop of any kind.
    pub(super) fn any_loop(&mut self, depth: usize) {
        match self.decisions.choose("any_loop", 12) {
            0 => self.while_loop(depth),
            1 => self.do_loop(depth),
            2 => self.jump_back(depth),
            3 => self.pointer_loop(depth),
            4 => self.two_counters(depth),
            5 => self.endless_loop(depth),
            6 => self.moving_bound(depth),
            _ => self.for_loop(depth),
        }
    }

    /// The body of a loop that may use a counter.
    fn body(&mut self, depth: usize, counter: Option<&str>) {
        let scope = self.scope.clone();
        let around = (
            self.scope.n_loops,
            std::mem::take(&mut self.scope.n_switches),
        );
        self.scope.n_loops += 1;
        self.scope.integers.extend(counter.map(str::to_owned));
        self.statements(depth);
        (self.scope.n_loops, self.scope.n_switches) = around;
        self.scope = scope;
    }

    /// A bound: a size, a number, or something around them.
    fn bound(&mut self) -> String {
        match self.decisions.choose("bound", 8) {
            0 => self.decisions.within(0, 9).to_string(),
            1 => format!("{} + 2", self.integer()),
            2 => format!("{} - 1", self.integer()),
            3 => format!("{} / 2", self.integer()),
            4 => {
                let (one, other) = (self.integer(), self.integer());
                format!("({one} < {other} ? {one} : {other})")
            }
            _ => self.integer(),
        }
    }

    fn for_loop(&mut self, depth: usize) {
        let (i, bound) = (self.name("i"), self.bound());
        let kind = self
            .decisions
            .one_of(&["int", "int", "int", "long", "unsigned", "size_t"]);
        let first = self.decisions.within(0, 3);
        let step = self.decisions.within(2, 3);
        let header = match self.decisions.choose("for_loop", 14) {
            0 => format!("for (int {i} = {bound} - 1; {i} >= {first}; {i}--)"),
            1 => format!("for (unsigned {i} = {bound}; {i}-- > 0;)"),
            2 => format!("for ({kind} {i} = {first}; {i} + {step} <= {bound}; {i}++)"),
            3 => {
                let condition = self.any_condition();
                format!("for ({kind} {i} = {first}; {i} < {bound} && {condition}; {i}++)")
            }
            4 => format!("for ({kind} {i} = 0; {i} != {bound}; {i}++)"),
            5 => format!(
                "for ({kind} {i} = {bound} - {step}; {i} < {}; {i}++)",
                self.bound()
            ),
            6 => format!("for (int {i} = 1; {i} < {bound}; {i} *= 2)"),
            7 => {
                let last = 256 - step - first;
                format!("for (unsigned char {i} = {last}; {i} > {first}; {i}++)")
            }
            8 => format!("for ({kind} {i} = {first}; {i} < {bound}; {i} += {step})"),
            9 => format!("for ({kind} {i} = {first}; {i} <= {bound}; ++{i})"),
            10 => format!(
                "for ({kind} {i} = {}; {i} < {bound}; {i}++)",
                self.integer()
            ),
            _ => format!("for ({kind} {i} = {first}; {i} < {bound}; {i}++)"),
        };
        self.open(&header);
        self.body(depth, Some(&i));
        if self.decisions.once_in(12) {
            self.write(&format!("if ({i} == 3) {i} += 2;"));
        }
        self.close("");
    }

    fn counter(&mut self) -> String {
        let (k, first) = (self.name("w"), self.decisions.within(0, 2));
        let kind = self.decisions.one_of(&["int", "int", "unsigned", "long"]);
        self.write(&format!("{kind} {k} = {first};"));
        k
    }

    fn while_loop(&mut self, depth: usize) {
        let bound = self.bound();
        if self.decisions.once_in(3) {
            let k = self.name("w");
            self.write(&format!("int {k} = {bound};"));
            let condition = self.decisions.one_of(&["--", "-- > 0"]);
            self.open(&format!("while ({k}{condition})"));
            self.body(depth, Some(&k));
            return self.close("");
        }
        let k = self.counter();
        let condition = match self.decisions.once_in(4) {
            true => format!(" && {}", self.any_condition()),
            false => String::new(),
        };
        self.open(&format!("while ({k} < {bound}{condition})"));
        let is_early = self.decisions.once_in(2);
        if is_early {
            self.write(&format!("{k}++;"));
        }
        self.body(depth, Some(&k));
        if !is_early {
            let step = self.decisions.within(1, 2);
            self.write(&format!("{k} += {step};"));
        }
        self.close("");
    }

    fn do_loop(&mut self, depth: usize) {
        let k = self.counter();
        let bound = self.bound();
        self.open("do");
        self.body(depth, Some(&k));
        let end = match self.decisions.once_in(2) {
            true => format!(" while (++{k} < {bound});"),
            false => format!(" while ({k}++ < {bound});"),
        };
        self.close(&end);
    }

    fn jump_back(&mut self, depth: usize) {
        let k = self.counter();
        let (label, bound) = (self.name("again"), self.bound());
        let tick = counted_only(" TICK;");
        self.write(&format!("{label}:;{tick}"));
        // No `break` and no `continue` in here belong to it.
        let around = (
            std::mem::take(&mut self.scope.n_loops),
            self.scope.n_switches,
        );
        let scope = self.scope.clone();
        self.scope.integers.push(k.clone());
        self.left = self.left.saturating_sub(1);
        self.assignment();
        self.open("");
        self.statements(depth);
        self.close("");
        self.scope = scope;
        (self.scope.n_loops, self.scope.n_switches) = around;
        self.write(&format!("{k}++;"));
        self.write(&format!("if ({k} < {bound}) goto {label};"));
    }

    fn pointer_loop(&mut self, depth: usize) {
        let array = self.decisions.one_name(&self.scope.arrays.clone());
        let (e, first, bound) = (self.name("e"), self.index(), self.bound());
        let kind = self.decisions.one_of(&["double", "double", "const double"]);
        let step = self.decisions.one_of(&["++", " += 2"]);
        self.open(&format!(
            "for ({kind} *{e} = {array} + {first}; {e} < {array} + {bound}; {e}{step})"
        ));
        let element = self.element();
        let line = self.line;
        let load = self.load(&format!("*{e}"));
        let to = crate::programs::marked::surrounded(&format!("ST({line}, "), &element, ")");
        self.write(&format!("{to} = {load};"));
        self.body(depth, None);
        self.close("");
    }

    fn two_counters(&mut self, depth: usize) {
        let (i, j, bound) = (self.name("i"), self.name("j"), self.bound());
        self.open(&format!(
            "for (int {i} = 0, {j} = {bound}; {i} < {j}; {i}++, {j}--)"
        ));
        self.scope.integers.push(j);
        self.body(depth, Some(&i));
        self.scope.integers.pop();
        self.close("");
    }

    fn endless_loop(&mut self, depth: usize) {
        let k = self.counter();
        let bound = self.bound();
        let header = self.decisions.one_of(&["for (;;)", "while (1)"]);
        self.open(header);
        self.write(&format!("if ({k} >= {bound}) break;"));
        let around = std::mem::take(&mut self.scope.n_switches);
        let scope = self.scope.clone();
        self.scope.integers.push(k.clone());
        // A `continue` would pass over the step.
        let loops = std::mem::take(&mut self.scope.n_loops);
        self.statements(depth);
        self.scope.n_loops = loops;
        self.scope.n_switches = around;
        self.scope = scope;
        self.write(&format!("{k}++;"));
        self.close("");
    }

    /// A loop whose bound its body changes.
    fn moving_bound(&mut self, depth: usize) {
        let (i, u, bound) = (self.name("i"), self.name("u"), self.bound());
        self.write(&format!("int {u} = {bound};"));
        self.open(&format!("for (int {i} = 0; {i} < {u}; {i}++)"));
        self.body(depth, Some(&i));
        let end = self.bound();
        self.write(&format!("if ({i} == 2) {u} = {end};"));
        self.close("");
    }
}
