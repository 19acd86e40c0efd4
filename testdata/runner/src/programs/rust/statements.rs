//! Statements of Rust.

use super::Writer;
use crate::programs::marked::counted_only;

impl Writer {
    /// Some statements.
    pub(super) fn statements(&mut self, depth: usize) {
        let scope = self.scope.clone();
        self.some(|writer| writer.statement(depth));
        self.scope = scope;
    }

    fn statement(&mut self, depth: usize) {
        match self.decisions.choose("statement", 22) {
            0..=4 if 0 < depth => self.any_loop(depth - 1),
            5 | 6 if 0 < depth => self.branch(depth - 1),
            7 if 0 < depth => self.choice(depth - 1),
            8 => self.exit(),
            9 => self.declaration(),
            10 => self.integer_assignment(),
            11 => self.closure(),
            12 => self.call(),
            13 => self.unused(),
            14 => self.whole_slices(),
            15 if 0 < depth => self.part(depth - 1),
            _ => self.assignment(),
        }
    }

    /// A store, with or without a load of what it replaces.
    pub(super) fn assignment(&mut self) {
        let to = self.element();
        self.assign(&to);
    }

    /// A store to a place.
    pub(super) fn assign(&mut self, to: &str) {
        let line = self.line;
        let store = self.stores("1");
        match self.decisions.once_in(3) {
            true => {
                let operator = self.decisions.one_of(&["+=", "-=", "*="]);
                let value = self.value(1);
                let more = counted_only(&format!("count(0, {line}, 1); count(2, {line}, 1); "));
                self.write(&format!("{store}{more}{to} {operator} {value};"));
            }
            false => {
                let value = self.value(2);
                self.write(&format!("{store}{to} = {value};"));
            }
        }
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.any_condition();
        self.write(&format!("if {condition} {{"));
        self.indent += 1;
        self.statements(depth);
        if self.decisions.once_in(2) {
            self.indent -= 1;
            self.write("} else {");
            self.indent += 1;
            self.statements(depth);
        }
        self.close("");
    }

    fn choice(&mut self, depth: usize) {
        let value = self.integer();
        let guard = self.condition();
        let arms = match self.decisions.below(3) {
            0 => vec!["0".to_owned(), "1 | 3".to_owned(), "_".to_owned()],
            1 => vec![
                format!("2.. if {guard}"),
                "0..=1".to_owned(),
                "_".to_owned(),
            ],
            _ => {
                let name = self.name("v");
                vec![
                    "0".to_owned(),
                    format!("{name} if {name} > 1"),
                    "_".to_owned(),
                ]
            }
        };
        self.write(&format!("match {value} % 4 {{"));
        self.indent += 1;
        for arm in arms {
            self.write(&format!("{arm} => {{"));
            self.indent += 1;
            self.statements(depth);
            self.close("");
        }
        self.close("");
    }

    /// A way out of a loop or the function, under a condition.
    fn exit(&mut self) {
        let exits = self.scope.exits.clone();
        if exits.is_empty() {
            return self.assignment();
        }
        let exit = self.decisions.one_name(&exits);
        let condition = self.any_condition();
        self.write(&format!("if {condition} {{ {exit}; }}"));
    }

    fn declaration(&mut self) {
        let value = self.index();
        match self.decisions.below(4) {
            0 => {
                // A size or counter of the same name that is another from here on.
                let name = self.name("i");
                self.write(&format!("let {name}: usize = {value};"));
                self.write(&format!("let {name} = {name} + 1;"));
                self.scope.integers.push(name);
            }
            1 => {
                let (one, other) = (self.name("k"), self.name("k"));
                let second = self.integer();
                self.write(&format!(
                    "let (mut {one}, mut {other}): (usize, usize) = ({value}, {second});"
                ));
                self.scope.variables.extend([one, other]);
            }
            _ => {
                let name = self.name("k");
                self.write(&format!("let mut {name}: usize = {value};"));
                self.scope.variables.push(name);
            }
        }
    }

    fn integer_assignment(&mut self) {
        let variables = self.scope.variables.clone();
        if variables.is_empty() {
            return self.assignment();
        }
        let name = self.decisions.one_name(&variables);
        let value = self.index();
        let text = match self.decisions.choose("integer_assignment", 6) {
            0 => format!("{name} += 1;"),
            1 => format!("{name} = {value};"),
            2 => format!("{name} += 3;"),
            3 => format!("{name} = {name}.wrapping_sub(1) % 16;"),
            4 => format!("{name} = {name} % 5 + 1;"),
            _ => format!("({name}, _) = ({name} / 2 + 1, {value});"),
        };
        self.write(&text);
    }

    /// Places that are named and read or not.
    fn unused(&mut self) {
        let (place, name) = (self.element(), self.name("x"));
        let load = self.load(&place);
        let text = match self.decisions.choose("unused", 5) {
            0 => format!("let _ = {place};"),
            1 => format!("let _{name} = {load};"),
            2 => format!("_ = {place};"),
            3 => format!("let _{name} = &{place};"),
            _ => format!("let (_, _{name}) = (2, {load});"),
        };
        self.write(&text);
    }

    fn call(&mut self) {
        let functions = self.scope.array_functions.clone();
        if functions.is_empty() {
            return self.assignment();
        }
        let function = self.decisions.one_name(&functions);
        let array = self.decisions.one_name(&self.scope.arrays.clone());
        let length = self.index();
        let offset = self.decisions.within(0, 4);
        let call = function.replace("$k", &length);
        self.write(&call.replace("$a", &format!("&mut {array}[{offset}..]")));
    }

    /// What is done to all elements of a slice.
    fn whole_slices(&mut self) {
        let array = self.decisions.one_name(&self.scope.arrays.clone());
        let count = self.integer();
        let slice = format!("{array}[1..1 + {count}]");
        match self.decisions.below(4) {
            0 => {
                let store = self.stores(&count);
                self.write(&format!("{store}{slice}.fill(0.5);"));
            }
            1 => {
                let counters = self.stores(&count) + &self.loads(&count);
                self.write(&format!(
                    "{counters}{slice}.copy_from_slice(&c[..{count}]);"
                ));
            }
            2 => {
                let counters = self.stores("2") + &self.loads("2");
                let (one, other) = (self.index(), self.index());
                self.write(&format!("{counters}{array}.swap({one}, {other});"));
            }
            _ => {
                let counters = counted_only(&format!(
                    "count(0, {0}, 1); count(1, {0}, 1); count(2, {0}, 1); ",
                    self.line
                ));
                self.write(&format!(
                    "{slice}.iter_mut().for_each(|x| {{ {counters}*x += 1.5; }});"
                ));
            }
        }
    }

    /// Statements on parts of a slice, under other names.
    fn part(&mut self, depth: usize) {
        let scope = self.scope.clone();
        let array = self.decisions.one_name(&scope.arrays);
        let (one, other) = (self.name("t"), self.name("t"));
        self.write("{");
        self.indent += 1;
        match self.decisions.once_in(2) {
            true => {
                let at = self.decisions.within(100, 120);
                self.write(&format!(
                    "let ({one}, {other}) = {array}.split_at_mut({at});"
                ));
                self.scope.arrays = vec![one, other];
            }
            false => {
                let first = self.index();
                self.write(&format!("let {one} = &mut {array}[{first}..];"));
                self.scope.arrays = vec![one];
            }
        }
        self.statements(depth);
        self.close("");
        self.scope = scope;
    }
}
