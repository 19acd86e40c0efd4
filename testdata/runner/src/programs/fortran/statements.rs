//! Statements of Fortran.

use super::Writer;

impl Writer {
    /// Some statements.
    pub(super) fn statements(&mut self, depth: usize) {
        self.some(|writer| writer.statement(depth));
    }

    fn statement(&mut self, depth: usize) {
        match self.decisions.choose("statement", 20) {
            0..=4 if 0 < depth => self.any_loop(depth - 1),
            5 | 6 if 0 < depth => self.branch(depth - 1),
            7 if 0 < depth => self.select(depth - 1),
            8 => self.exit(),
            9 | 10 => self.integer_assignment(),
            11 => self.point_copy(),
            12 | 13 => self.call(),
            14 => self.section(),
            _ => self.assignment(),
        }
    }

    pub(super) fn assignment(&mut self) {
        let store = self.count(1, "1");
        let to = self.element();
        let value = self.value(2);
        self.write(&format!("{store}{to} = {value}"));
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.any_condition();
        self.write(&format!("if ({condition}) then"));
        self.indent += 1;
        self.statements(depth);
        if self.decisions.once_in(4) {
            let condition = self.condition();
            self.close(&format!("else if ({condition}) then"));
            self.indent += 1;
            self.statements(depth);
        }
        if self.decisions.once_in(2) {
            self.close("else");
            self.indent += 1;
            self.statements(depth);
        }
        self.close("end if");
    }

    fn select(&mut self, depth: usize) {
        let value = self.index();
        self.write(&format!("select case ({value})"));
        self.indent += 1;
        for case in ["case (:0)", "case (1, 3)", "case (4:6)", "case default"] {
            if case != "case (4:6)" || self.decisions.once_in(2) {
                self.write(case);
                self.indent += 1;
                self.statements(depth);
                self.indent -= 1;
            }
        }
        self.close("end select");
    }

    /// A way out of a loop or the function, under a condition.
    fn exit(&mut self) {
        let exits = self.scope.exits.clone();
        let exit = self.decisions.one_name(&exits);
        let condition = self.any_condition();
        self.write(&format!("if ({condition}) {exit}"));
    }

    fn integer_assignment(&mut self) {
        let variables = self.scope.variables.clone();
        let name = self.decisions.one_name(&variables);
        let value = self.index();
        let text = match self.decisions.choose("integer_assignment", 5) {
            0 => format!("{name} = {name} + 1"),
            1 => format!("{name} = {value}"),
            2 => format!("{name} = {name} - 2"),
            3 => format!("{name} = mod({name}, 5) + 1"),
            _ => format!("{name} = {name} + 1; {name} = mod({name} * 2, 7)"),
        };
        self.write(&text);
    }

    fn point_copy(&mut self) {
        let counters = self.count(0, "5") + &self.count(1, "5");
        let (to, from) = (self.index(), self.index());
        self.write(&format!("{counters}s({to}) = s({from})"));
    }

    fn call(&mut self) {
        let subroutines = self.scope.subroutines.clone();
        if subroutines.is_empty() {
            return self.assignment();
        }
        let variables = self.scope.variables.clone();
        let subroutine = self.decisions.one_name(&subroutines);
        let array = self.decisions.one_name(&self.scope.arrays.clone());
        let variable = self.decisions.one_name(&variables);
        let first = match self.decisions.below(3) {
            0 => variable,
            1 => format!("({variable})"),
            _ => format!("{variable} + 1"),
        };
        let offset = self.decisions.within(0, 4);
        self.write(&format!("call {subroutine}({first}, {array}({offset}))"));
    }

    /// What is done to a section of an array.
    fn section(&mut self) {
        let (to, count) = (self.decisions.one_of(&["a", "b"]), self.integer());
        let first = self.decisions.within(-2, 3);
        let step = self.decisions.within(1, 3);
        let length = format!("size(c({first}:{count}:{step}))");
        let store = self.count(1, &length);
        match self.decisions.choose("section", 6) {
            0 => self.write(&format!("{store}{to}({first}:{count}:{step}) = 1.5d0")),
            1 => {
                let length = format!("size(c({count}:{first}:-{step}))");
                let counters = self.count(1, &length) + &self.count(0, &length);
                let section = format!("{count}:{first}:-{step}");
                self.write(&format!("{counters}{to}({section}) = c({section})"));
            }
            2 => {
                let counters = store + &self.count(0, &length) + &self.count(2, &length);
                self.write(&format!(
                    "{counters}{to}({first}:{count}:{step}) = c({first}:{count}:{step}) * 1.5d0"
                ));
            }
            3 => {
                let length = format!("size(c({first}:{count}))");
                let counters = self.count(1, &length) + &self.count(0, &length);
                let i = self.name("i");
                self.write(&format!(
                    "{counters}forall ({i} = {first}:{count}) {to}({i}) = c({i} + 1)"
                ));
            }
            4 => {
                let counters = self.count(1, "1") + &self.count(0, &length);
                self.write(&format!(
                    "{counters}{to}(1) = maxval(c({first}:{count}:{step}))"
                ));
            }
            _ => {
                let length = format!("size(c({first}:{count}))");
                let counters = self.count(0, &length)
                    + &self.count(1, &format!("count(c({first}:{count}) > 0.5d0)"));
                self.write(&format!(
                    "{counters}where (c({first}:{count}) > 0.5d0) {to}({first}:{count}) = 2.5d0"
                ));
            }
        }
    }
}
