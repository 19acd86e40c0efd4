//! Loops of Rust.

use super::Writer;
use crate::programs::marked::counted_only;

impl Writer {
    /// A loop of any kind.
    pub(super) fn any_loop(&mut self, depth: usize) {
        match self.decisions.choose("any_loop", 14) {
            0 => self.while_loop(depth),
            1 => self.endless_loop(depth),
            2 => self.while_let(depth),
            3 => self.elements(depth),
            4 => self.mutable_elements(depth),
            5 => self.windows(depth),
            6 => self.for_each(depth),
            7 => self.stack(depth),
            _ => self.for_loop(depth),
        }
    }

    /// The body of a loop with a label, that may use a counter.
    fn body(&mut self, depth: usize, counter: Option<&str>, label: &str) {
        let scope = self.scope.clone();
        self.scope.integers.extend(counter.map(str::to_owned));
        if !label.is_empty() {
            for way in ["break", "continue"] {
                self.scope.exits.push(format!("{way} '{label}"));
            }
        }
        self.scope
            .exits
            .retain(|exit| exit != "break" && exit != "continue");
        self.scope
            .exits
            .extend(["break", "continue"].map(str::to_owned));
        self.statements(depth);
        self.scope = scope;
    }

    /// A new label, or none: the label, and how it stands before a loop.
    fn label(&mut self) -> (String, String) {
        match self.decisions.once_in(3) {
            true => {
                let label = self.name("l");
                (label.clone(), format!("'{label}: "))
            }
            false => (String::new(), String::new()),
        }
    }

    /// A bound: a size, a number, or something around them.
    pub(super) fn bound(&mut self) -> String {
        match self.decisions.choose("bound", 8) {
            0 => format!("{}usize", self.decisions.within(0, 9)),
            1 => format!("{} + 2", self.integer()),
            2 => format!("{}.saturating_sub(1)", self.integer()),
            3 => format!("{} / 2", self.integer()),
            4 => format!("{}.min({})", self.integer(), self.integer()),
            _ => self.integer(),
        }
    }

    /// A sequence of integers.
    fn sequence(&mut self) -> String {
        let (first, bound) = (self.decisions.within(0, 3), self.bound());
        let step = self.decisions.within(2, 3);
        let other = self.integer();
        match self.decisions.choose("sequence", 15) {
            0 => format!("({first}..{bound}).rev()"),
            1 => format!("{first}..={bound}"),
            2 => format!("({first}..{bound}).step_by({step})"),
            3 => format!("({first}..{bound}).rev().step_by({step})"),
            4 => format!("({first}..{bound}).filter(|x| x % {step} == 0)"),
            5 => format!("({first}..{bound}).map(|x| x * {step} + 1)"),
            6 => format!("({first}..{bound}).skip({step})"),
            7 => format!("({first}usize..).take({bound})"),
            // A variable would stay borrowed.
            8 => format!("({first}..{bound}).take_while(|x| *x < m{})", self.number),
            9 => format!("({first}..{bound}).chain(0..{other})"),
            10 => format!("[{first}usize, {other}, {step}]"),
            11 => format!("{other}..{bound}"),
            _ => format!("{first}..{bound}"),
        }
    }

    fn for_loop(&mut self, depth: usize) {
        let (i, sequence) = (self.name("i"), self.sequence());
        let (label, before) = self.label();
        self.open_over(&sequence, &format!("{before}for {i} in {sequence}"));
        self.body(depth, Some(&i), &label);
        self.close("");
    }

    /// Begins a loop over a sequence. Elements of a list are stored when it is made, and loaded one by one.
    fn open_over(&mut self, sequence: &str, header: &str) {
        let (stores, load) = match sequence.starts_with('[') {
            true => (self.stores("3"), self.loads("1")),
            false => (String::new(), String::new()),
        };
        let tick = counted_only(" tick();");
        self.write(&format!("{stores}{header} {{{tick}{load}"));
        self.indent += 1;
    }

    fn counter(&mut self) -> String {
        let (k, first) = (self.name("w"), self.decisions.within(0, 2));
        self.write(&format!("let mut {k}: usize = {first};"));
        k
    }

    fn while_loop(&mut self, depth: usize) {
        let (k, bound) = (self.counter(), self.bound());
        let condition = match self.decisions.once_in(3) {
            true => format!(" && {}", self.any_condition()),
            false => String::new(),
        };
        let (label, before) = self.label();
        self.open(&format!("{before}while {k} < {bound}{condition}"));
        let step = self.decisions.within(1, 2);
        self.write(&format!("{k} += {step};"));
        self.body(depth, Some(&k), &label);
        self.close("");
    }

    fn endless_loop(&mut self, depth: usize) {
        let (k, bound) = (self.counter(), self.bound());
        let (label, before) = self.label();
        self.open(&format!("{before}loop"));
        self.write(&format!("if {k} >= {bound} {{ break; }}"));
        self.write(&format!("{k} += 1;"));
        self.body(depth, Some(&k), &label);
        self.close("");
    }

    fn while_let(&mut self, depth: usize) {
        let (iterator, i, bound) = (self.name("it"), self.name("i"), self.bound());
        let sequence = format!("(0..{bound}).rev().skip(1)");
        self.write(&format!("let mut {iterator} = {sequence};"));
        let (label, before) = self.label();
        self.open(&format!("{before}while let Some({i}) = {iterator}.next()"));
        self.body(depth, Some(&i), &label);
        self.close("");
    }

    /// A loop as long as an option has something.
    fn stack(&mut self, depth: usize) {
        let (option, k, bound) = (self.name("o"), self.name("k"), self.bound());
        self.write(&format!("let mut {option} = Some({bound});"));
        self.open(&format!("while let Some({k}) = {option}"));
        self.write(&format!(
            "{option} = if {k} > 1 {{ Some({k} - 1) }} else {{ None }};"
        ));
        self.body(depth, Some(&k), "");
        self.close("");
    }

    fn elements(&mut self, depth: usize) {
        let (x, i, bound) = (self.name("x"), self.name("i"), self.bound());
        let first = self.decisions.within(0, 2);
        let slice = format!("c[{first}..{first} + {bound}]");
        let scope = self.scope.clone();
        let (place, counter, header) = match self.decisions.choose("elements", 5) {
            0 => (format!("*{x}"), None, format!("for {x} in &{slice}")),
            1 => {
                let header = format!("for ({i}, {x}) in {slice}.iter().enumerate()");
                (format!("*{x}"), Some(i.as_str()), header)
            }
            2 => {
                let header = format!("for ({x}, {i}) in {slice}.iter().rev().zip(0usize..)");
                (format!("*{x}"), Some(i.as_str()), header)
            }
            3 => {
                let header = format!("for {x} in {slice}.iter().skip(1).step_by(2)");
                (format!("*{x}"), None, header)
            }
            _ => {
                let load = counted_only(&format!(" count(0, {}, 1);", self.line));
                self.write(&format!(
                    "for &{x} in {slice}.iter() {{{load}{}",
                    counted_only(" tick();")
                ));
                self.indent += 1;
                self.body(depth, None, "");
                return self.close("");
            }
        };
        self.open(&header);
        self.scope.places.push(place);
        self.body(depth, counter, "");
        self.scope = scope;
        self.close("");
    }

    /// A loop that borrows a slice.
    fn mutable_elements(&mut self, depth: usize) {
        let scope = self.scope.clone();
        if scope.arrays.len() < 2 {
            return self.for_loop(depth);
        }
        let array = self.scope.arrays.remove(0);
        let (x, y, bound) = (self.name("x"), self.name("y"), self.bound());
        match self.decisions.below(3) {
            0 => self.open(&format!("for {x} in {array}[..{bound}].iter_mut()")),
            1 => self.open(&format!(
                "for ({y}, {x}) in {array}[1..1 + {bound}].iter_mut().enumerate()"
            )),
            _ => {
                self.open(&format!(
                    "for ({x}, {y}) in {array}[1..].iter_mut().zip(&c[..{bound}])"
                ));
                self.scope.places.push(format!("*{y}"));
            }
        }
        self.assign(&format!("*{x}"));
        self.scope.places.push(format!("*{x}"));
        self.body(depth, None, "");
        self.scope = scope;
        self.close("");
    }

    fn windows(&mut self, depth: usize) {
        let (w, bound) = (self.name("w"), self.bound());
        let kind = self
            .decisions
            .one_of(&["windows(2)", "chunks_exact(2)", "chunks(3)"]);
        let scope = self.scope.clone();
        self.open(&format!("for {w} in c[..{bound}].{kind}"));
        self.scope.places.push(format!("{w}[0]"));
        if kind != "chunks(3)" {
            self.scope.places.push(format!("{w}[1]"));
        }
        self.assignment();
        self.body(depth, None, "");
        self.scope = scope;
        self.close("");
    }

    /// A loop in which `return` goes on with the next.
    fn for_each(&mut self, depth: usize) {
        let (i, bound) = (self.name("i"), self.bound());
        let sequence =
            self.decisions
                .one_of(&["(0..$)", "(1..=$).rev()", "(0..$).filter(|x| x % 2 == 1)"]);
        let scope = self.scope.clone();
        let sequence = sequence.replace('$', &bound);
        self.open(&format!("{sequence}.for_each(|{i}|"));
        self.scope.integers.push(i);
        self.scope.exits = vec!["return".to_owned()];
        self.statements(depth);
        self.scope = scope;
        self.close(");");
    }
}
