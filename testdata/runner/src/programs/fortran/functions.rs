//! Procedures of Fortran.

use super::Writer;
use crate::programs::marked::{counted_only, surrounded};

impl Writer {
    /// The subroutine of the program, after those that it calls.
    pub(super) fn function(&mut self) {
        for _ in 0..self.decisions.below(3) {
            self.integer_function();
        }
        for _ in 0..self.decisions.below(3) {
            self.subroutine();
        }
        let number = self.number;
        let (n, m) = (format!("n{number}"), format!("m{number}"));
        self.write(&format!("subroutine f{number}({n}, {m}, a, b, c, d, s, q)"));
        self.indent = 1;
        self.write("use types");
        self.write("real(8) :: a(-20:2000), b(0:2000), c(2000), d(9, *), sf, x");
        self.write("type(point) :: s(2000)");
        self.write("integer :: q(2000)");
        self.externals();
        self.write("sf(x) = x * 2.0d0 + 1.0d0");
        self.scope.integers = vec![n, m];
        self.scope.arrays = ["a", "b", "c"].map(str::to_owned).to_vec();
        self.scope.exits = vec!["return".to_owned()];
        self.left = 14;
        for _ in 0..2 {
            let name = self.name("k");
            let value = self.index();
            self.write(&format!("{name} = {value}"));
            self.scope.variables.push(name);
        }
        for _ in 0..self.decisions.within(1, 2) {
            self.any_loop(2);
        }
        self.indent = 0;
        self.write("end subroutine");
    }

    fn externals(&mut self) {
        let counters = counted_only("real(8), external :: ld, fl; integer, external :: ldi");
        let functions: Vec<String> = self.scope.integer_functions.clone();
        let functions = match functions.is_empty() {
            true => String::new(),
            false => format!("integer :: {}; ", functions.join(", ")),
        };
        self.write(&format!("{functions}{counters}"));
    }

    /// A function of an integer, without memory.
    fn integer_function(&mut self) {
        let name = format!("h{}_{}", self.number, self.scope.integer_functions.len());
        let number = self.decisions.within(1, 4);
        self.write(&format!("integer function {name}(k)"));
        self.indent = 1;
        self.write("integer, intent(in) :: k");
        match self.decisions.below(3) {
            0 => {
                self.write(&format!("{name} = k + {number}"));
                self.write(&format!("if (k > {number}) {name} = k - 1"));
            }
            1 => {
                self.write(&format!("{name} = {number}"));
                self.write(&format!("if (k > {number}) return"));
                self.write(&format!("{name} = k + 1"));
            }
            _ => {
                self.write(&format!("{name} = 0"));
                self.open(&format!("do i = 1, {number}"));
                self.write(&format!("{name} = {name} + mod(k, 3)"));
                self.close("end do");
            }
        }
        self.indent = 0;
        self.write("end function");
        self.scope.integer_functions.push(name);
    }

    /// A subroutine that changes an array, and perhaps its integer.
    fn subroutine(&mut self) {
        let name = format!("g{}_{}", self.number, self.scope.subroutines.len());
        self.write(&format!("subroutine {name}(k, z)"));
        self.indent = 1;
        self.write("integer :: k");
        let shape = self.decisions.one_of(&["*", "k", "0:k"]);
        self.write(&format!("real(8) :: z({shape})"));
        self.externals_of_helper();
        if self.decisions.once_in(3) {
            self.write("k = k + 1");
        }
        self.open("do i = 1, min(k, 9)");
        let (line, store) = (self.line, self.count(1, "1"));
        let load = self.load("z(i)");
        let sum = surrounded(&format!("fl({line}, "), &format!("{load} + 1.5d0"), ")");
        self.write(&format!("{store}z(i) = {sum}"));
        if self.decisions.once_in(3) {
            self.write("k = k - 1");
        }
        self.close("end do");
        self.indent = 0;
        self.write("end subroutine");
        self.scope.subroutines.push(name);
    }

    fn externals_of_helper(&mut self) {
        self.write(&counted_only("real(8), external :: ld, fl"));
    }
}
