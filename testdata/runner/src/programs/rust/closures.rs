//! Closures of Rust.

use super::Writer;
use crate::programs::marked::counted_only;

impl Writer {
    /// A closure that is made and called.
    pub(super) fn closure(&mut self) {
        match self.decisions.below(4) {
            0 => self.pure_closure(),
            1 => self.moving_closure(),
            2 => self.storing_closure(),
            _ => self.closure_in_call(),
        }
    }

    /// A closure of integers that later statements call.
    fn pure_closure(&mut self) {
        let (function, number) = (self.name("h"), self.decisions.within(1, 4));
        let size = format!("n{}", self.number);
        let text = match self.decisions.below(3) {
            0 => format!("let {function} = |k: usize| k % 4 + {number};"),
            1 => format!(
                "let {function} = |k: usize| if k > {size} {{ {number} }} else {{ k + 1 }};"
            ),
            _ => format!("let {function} = move |k: usize| (k + {size}) / 2;"),
        };
        self.write(&text);
        self.scope.integer_functions.push(function);
    }

    /// A closure with a copy of a variable of its own.
    fn moving_closure(&mut self) {
        let (k, function) = (self.name("k"), self.name("h"));
        let first = self.index();
        self.write(&format!("let mut {k}: usize = {first};"));
        let step = self.decisions.within(1, 3);
        let kind = self.decisions.one_of(&["move ", ""]);
        self.write(&format!(
            "let mut {function} = {kind}|x: usize| {{ {k} += {step}; {k} + x }};"
        ));
        let array = self.decisions.one_name(&self.scope.arrays.clone());
        let (i, bound) = (self.name("i"), self.bound());
        self.open(&format!("for {i} in 0..{bound}"));
        let store = self.stores("1");
        self.write(&format!("{store}{array}[{function}({i})] = 1.5;"));
        self.close("");
        let bound = self.bound();
        let i = self.name("i");
        self.open(&format!("for {i} in {k}..{k} + {bound}"));
        let store = self.stores("1");
        self.write(&format!("{store}{array}[{i}] = 2.5;"));
        self.close("");
        self.scope.variables.push(k);
    }

    /// A closure that stores to what it borrows.
    fn storing_closure(&mut self) {
        let scope = self.scope.clone();
        self.write("{");
        self.indent += 1;
        let (function, array) = (self.name("g"), self.decisions.one_name(&scope.arrays));
        let store = self.stores("1");
        let load = self.load("c[k + 1]");
        self.write(&format!(
            "let mut {function} = |k: usize| {{ {store}{array}[k] = {load}; k + 1 }};"
        ));
        let (i, bound) = (self.name("i"), self.bound());
        self.open(&format!("for {i} in 0..{bound}"));
        match self.decisions.once_in(2) {
            true => self.write(&format!("{function}({i});")),
            false => self.write(&format!("let j = {function}({i}); {function}(j);")),
        }
        self.close("");
        self.close("");
        self.scope = scope;
    }

    /// A closure that a generic function calls.
    fn closure_in_call(&mut self) {
        let array = self.decisions.one_name(&self.scope.arrays.clone());
        let number = self.number;
        let (count, offset) = (self.index(), self.index());
        let store = self.stores("1");
        let flop = counted_only(&format!("count(0, {0}, 1); count(2, {0}, 1); ", self.line));
        self.write(&format!(
            "each{number}({count}, |k| {{ {store}{flop}{array}[k + {offset}] += 1.5; }});"
        ));
    }
}
