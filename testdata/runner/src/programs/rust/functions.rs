//! Functions of Rust.

use super::Writer;
use crate::programs::marked::counted_only;

impl Writer {
    /// The function of the program, after those that it calls.
    pub(super) fn function(&mut self) {
        let number = self.number;
        let tick = counted_only(" tick();");
        self.write(&format!(
            "fn each{number}<F: FnMut(usize)>(k: usize, mut f: F) {{ for i in 0..k {{{tick} f(i); }} }}"
        ));
        for _ in 0..self.decisions.below(3) {
            self.integer_function();
        }
        for _ in 0..self.decisions.below(3) {
            self.array_function();
        }
        let (n, m) = (format!("n{number}"), format!("m{number}"));
        self.write(&format!(
            "pub fn f{number}({n}: usize, {m}: usize, a: &mut [f64], b: &mut [f64], c: &[f64], d: &mut [[f64; 9]], s: &mut [S], q: &[usize]) {{"
        ));
        self.indent = 1;
        self.scope.integers = vec![n, m];
        self.scope.arrays = ["a", "b"].map(str::to_owned).to_vec();
        self.scope.has_others = true;
        self.scope.exits = vec!["return".to_owned()];
        self.left = 14;
        let (name, value) = (self.name("k"), self.index());
        self.write(&format!("let mut {name}: usize = {value};"));
        self.scope.variables.push(name);
        for _ in 0..self.decisions.within(1, 2) {
            self.any_loop(2);
        }
        self.close("");
    }

    /// A function of an integer, without memory.
    fn integer_function(&mut self) {
        let name = format!("h{}_{}", self.number, self.scope.integer_functions.len());
        let tick = counted_only(" tick();");
        let number = self.decisions.within(1, 4);
        let body = match self.decisions.below(4) {
            0 => format!("if k > {number} {{ k - 1 }} else {{ k + {number} }}"),
            1 => format!("if k > {number} {{ return {number}; }} k + 1"),
            2 => format!("let mut r = 0; for i in 0..{number} {{{tick} r += (k + i) % 3; }} r"),
            _ => format!("let mut k = k; while k > {number} {{{tick} k -= 2; }} k"),
        };
        // Of `k -= 2` nothing is left below zero.
        let body = body.replace("k -= 2", "k = k.saturating_sub(2)");
        self.write(&format!("fn {name}(k: usize) -> usize {{ {body} }}"));
        self.scope.integer_functions.push(name);
    }

    /// A function that changes a slice.
    fn array_function(&mut self) {
        let name = format!("g{}_{}", self.number, self.scope.array_functions.len());
        let (header, call) = match self.decisions.below(3) {
            0 => (
                format!(
                    "fn {name}<T: Copy + std::ops::Add<Output = T>>(k: usize, z: &mut [T], v: T) {{"
                ),
                format!("{name}($k, $a, 1.5);"),
            ),
            1 => (
                format!("fn {name}<const K: usize>(z: &mut [f64], v: f64) {{"),
                format!("{name}::<{}>($a, 1.5);", self.decisions.within(0, 5)),
            ),
            _ => (
                format!("fn {name}(k: usize, z: &mut [f64], v: f64) {{"),
                format!("{name}($k, $a, 2.5);"),
            ),
        };
        let bound = match header.contains("const K") {
            true => "K",
            false => "k",
        };
        self.write(&header);
        self.indent = 1;
        if self.decisions.once_in(3) {
            self.write(&format!("if {bound} > 5 {{ return; }}"));
        }
        self.open(&format!("for i in 0..{bound}"));
        let line = self.line;
        let store = self.stores("1");
        let load = self.load("z[i]");
        let sum = crate::programs::marked::surrounded(
            &format!("fl({line}, "),
            &format!("{load} + v"),
            ")",
        );
        self.write(&format!("{store}z[i] = {sum};"));
        self.close("");
        self.close("");
        self.scope.array_functions.push(call);
    }
}
