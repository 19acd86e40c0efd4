//! Functions of C.

use super::Writer;
use crate::programs::marked::{counted_only, surrounded};

impl Writer {
    /// The function of the program, after those that it calls.
    pub(super) fn function(&mut self) {
        for _ in 0..self.decisions.below(3) {
            self.integer_function();
        }
        for _ in 0..self.decisions.below(3) {
            self.array_function();
        }
        let number = self.number;
        let (n, m) = (format!("n{number}"), format!("m{number}"));
        self.write(&format!(
            "void f{number}(int {n}, int {m}, double *a, double *b, double *c, double (*d)[9], struct S *s, int *q)"
        ));
        self.write("{");
        self.indent = 1;
        self.scope.integers = vec![n, m];
        self.scope.arrays = ["a", "b", "c"].map(str::to_owned).to_vec();
        self.left = 14;
        for _ in 0..self.decisions.within(1, 2) {
            let name = self.name("k");
            let value = self.index();
            self.write(&format!("int {name} = {value};"));
            self.scope.variables.push(name);
        }
        for _ in 0..self.decisions.within(1, 2) {
            self.any_loop(2);
        }
        self.indent = 0;
        self.write("}");
    }

    /// A function of an integer, without memory.
    fn integer_function(&mut self) {
        let name = format!("h{}_{}", self.number, self.scope.integer_functions.len());
        let tick = counted_only(" TICK;");
        self.write(&format!("static int {name}(int k)"));
        self.write("{");
        self.indent = 1;
        let number = self.decisions.within(1, 4);
        match self.decisions.below(4) {
            0 => self.write(&format!("return k > {number} ? k - 1 : k + {number};")),
            1 => {
                self.write(&format!("if (k > {number}) return {number};"));
                self.write("return k + 1;");
            }
            2 => {
                self.write("int r = 0;");
                self.write(&format!(
                    "for (int i = 0; i < {number}; i++) {{{tick} r += k % 3; }}"
                ));
                self.write("return r;");
            }
            _ => {
                self.write(&format!("while (k > {number}) {{{tick} k -= 2; }}"));
                self.write("return k;");
            }
        }
        self.indent = 0;
        self.write("}");
        self.scope.integer_functions.push(name);
    }

    /// A function that changes an array.
    fn array_function(&mut self) {
        let name = format!("g{}_{}", self.number, self.scope.array_functions.len());
        self.write(&format!("static void {name}(int k, double *z)"));
        self.write("{");
        self.indent = 1;
        if self.decisions.once_in(3) {
            let most = self.decisions.within(2, 6);
            self.write(&format!("if (k > {most}) return;"));
        }
        let bound = self.decisions.one_of(&["k", "k", "k / 2", "4"]);
        self.open(&format!("for (int i = 0; i < {bound}; i++)"));
        let line = self.line;
        let to = surrounded(&format!("UP({line}, "), "z[i]", ")");
        let flop = counted_only(&format!("FLOP({line}); "));
        self.write(&format!("{flop}{to} += 1.5;"));
        if self.decisions.once_in(3) {
            let load = self.load("*z");
            self.write(&format!("if ({load} > 0.5) break;"));
        }
        if self.decisions.once_in(3) {
            self.write("z++;");
        }
        self.close("");
        self.indent = 0;
        self.write("}");
        self.scope.array_functions.push(name);
    }
}
