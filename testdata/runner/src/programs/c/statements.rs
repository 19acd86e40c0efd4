//! Statements of C.

use super::Writer;
use crate::programs::marked::{counted_only, surrounded};

impl Writer {
    /// Some statements.
    pub(super) fn statements(&mut self, depth: usize) {
        let scope = self.scope.clone();
        self.some(|writer| writer.statement(depth));
        self.scope = scope;
    }

    fn statement(&mut self, depth: usize) {
        match self.decisions.choose("statement", 20) {
            0..=4 if 0 < depth => self.any_loop(depth - 1),
            5 | 6 if 0 < depth => self.branch(depth - 1),
            7 if 0 < depth => self.switch(depth - 1),
            8 => self.exit(),
            9 => self.declaration(),
            10 => self.integer_assignment(),
            11 => self.struct_copy(),
            12 => self.call(),
            13 => self.pointer_assignment(),
            _ => self.assignment(),
        }
    }

    /// A store, with or without a load of what it replaces.
    pub(super) fn assignment(&mut self) {
        let element = self.element();
        let line = self.line;
        match self.decisions.choose("assignment", 8) {
            0 => {
                let to = surrounded(&format!("UP({line}, "), &element, ")");
                let step = self.decisions.one_of(&["++", "--"]);
                let flop = counted_only(&format!("FLOP({line}); "));
                self.write(&format!("{flop}{to}{step};"));
            }
            1 | 2 => {
                let to = surrounded(&format!("UP({line}, "), &element, ")");
                let operator = self.decisions.one_of(&["+=", "-=", "*="]);
                let value = self.value(1);
                let flop = counted_only(&format!("FLOP({line}); "));
                self.write(&format!("{flop}{to} {operator} {value};"));
            }
            3 => {
                let first = surrounded(&format!("ST({line}, "), &element, ")");
                let element = self.element();
                let second = surrounded(&format!("ST({line}, "), &element, ")");
                let value = self.value(1);
                self.write(&format!("{first} = {second} = {value};"));
            }
            _ => {
                let to = surrounded(&format!("ST({line}, "), &element, ")");
                let value = self.value(2);
                self.write(&format!("{to} = {value};"));
            }
        }
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.any_condition();
        self.open(&format!("if ({condition})"));
        self.statements(depth);
        if self.decisions.once_in(4) {
            self.indent -= 1;
            let condition = self.condition();
            self.write(&format!("}} else if ({condition}) {{"));
            self.indent += 1;
            self.statements(depth);
        }
        if self.decisions.once_in(2) {
            self.indent -= 1;
            self.write("} else {");
            self.indent += 1;
            self.statements(depth);
        }
        self.close("");
    }

    fn switch(&mut self, depth: usize) {
        let value = self.integer();
        let modulus = self.decisions.within(2, 4);
        self.open(&format!("switch ({value} % {modulus})"));
        self.scope.n_switches += 1;
        for case in 0..modulus {
            let is_last = case == modulus - 1;
            let label = match is_last && self.decisions.once_in(2) {
                true => "default:".to_owned(),
                false => format!("case {case}:"),
            };
            self.write(&format!("{label} {{"));
            self.indent += 1;
            self.statements(depth);
            self.close("");
            if !self.decisions.once_in(3) {
                self.write("break;");
            }
        }
        self.scope.n_switches -= 1;
        self.close("");
    }

    /// A way out of a loop or the function, under a condition.
    fn exit(&mut self) {
        let condition = self.any_condition();
        let ways: &[&str] = match (self.scope.n_loops, self.scope.n_switches) {
            (0, _) => &["return;"],
            (_, 0) => &["break;", "continue;", "continue;", "break;", "return;"],
            _ => &["continue;"],
        };
        let way = self.decisions.one_of(ways);
        self.write(&format!("if ({condition}) {way}"));
    }

    /// A new variable: an integer, a pointer into an array, or a block.
    fn declaration(&mut self) {
        match self.decisions.choose("declaration", 6) {
            0 => self.block_of_heap(),
            1 => self.local_array(),
            2 | 3 => {
                let from = self.decisions.one_name(&self.scope.arrays.clone());
                let index = self.index();
                let name = self.name("p");
                self.write(&format!("double *{name} = {from} + {index};"));
                self.scope.pointers.push(name);
            }
            _ => {
                let value = self.index();
                let name = self.name("k");
                let kind = self.decisions.one_of(&["int", "long", "int"]);
                self.write(&format!("{kind} {name} = {value};"));
                self.scope.variables.push(name);
            }
        }
    }

    /// A block of which the middle is element 0.
    fn block_of_heap(&mut self) {
        let name = self.name("t");
        let length = "524288";
        let block = format!("double *{name}_ = malloc({length} * sizeof *{name}_);");
        self.write(&block);
        self.write(&format!("double *{name} = {name}_ + {length} / 2;"));
        self.scope.arrays.push(name);
    }

    fn local_array(&mut self) {
        let name = self.name("l");
        self.write(&format!("double {name}[64];"));
        let index = self.index();
        let line = self.line;
        let element = format!("{name}[({index}) & 63]");
        let to = surrounded(&format!("ST({line}, "), &element, ")");
        let value = self.value(1);
        self.write(&format!("{to} = {value};"));
    }

    fn integer_assignment(&mut self) {
        let variables = self.scope.variables.clone();
        if variables.is_empty() {
            return self.assignment();
        }
        let name = self.decisions.one_name(&variables);
        let value = self.index();
        let text = match self.decisions.choose("integer_assignment", 6) {
            0 => format!("{name}++;"),
            1 => format!("{name} = {value};"),
            2 => format!("{name} += 3;"),
            3 => format!("{name} -= 2;"),
            4 => format!("{name} = {name} % 5 + 1;"),
            _ => format!("{name} = {name} + 1, {name} = {name} * 2 % 7;"),
        };
        self.write(&text);
    }

    fn struct_copy(&mut self) {
        let (to, from) = (self.index(), self.index());
        let counters = self.struct_copy_counters();
        self.write(&format!("s[{to}] = s[{from}];{counters}"));
    }

    fn call(&mut self) {
        let functions = self.scope.array_functions.clone();
        if functions.is_empty() {
            return self.assignment();
        }
        let function = self.decisions.one_name(&functions);
        let array = self.decisions.one_name(&self.scope.arrays.clone());
        let (length, offset) = (self.index(), self.index());
        self.write(&format!("{function}({length}, {array} + {offset});"));
    }

    fn pointer_assignment(&mut self) {
        let pointers = self.scope.pointers.clone();
        if pointers.is_empty() {
            return self.assignment();
        }
        let name = self.decisions.one_name(&pointers);
        let array = self.decisions.one_name(&self.scope.arrays.clone());
        let index = self.index();
        let text = match self.decisions.below(3) {
            0 => format!("{name} += 2;"),
            1 => format!("{name} = {array} + {index};"),
            _ => format!("{name}--;"),
        };
        self.write(&text);
    }
}
