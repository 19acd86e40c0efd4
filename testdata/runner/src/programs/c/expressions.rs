//! Expressions of C.

use super::Writer;
use crate::programs::marked::{counted_only, surrounded};

impl Writer {
    /// An integer that the program knows.
    pub(super) fn integer(&mut self) -> String {
        let mut names = self.scope.integers.clone();
        names.extend(self.scope.variables.iter().cloned());
        names.retain(|name| !self.scope.changed.contains(name));
        if names.is_empty() {
            return self.decisions.within(0, 5).to_string();
        }
        let name = self.decisions.one_name(&names);
        self.scope.read.push(name.clone());
        name
    }

    /// An integer expression without side effects.
    pub(super) fn index(&mut self) -> String {
        let number = self.decisions.within(0, 4);
        match self.decisions.choose("index", 16) {
            0..=4 => self.integer(),
            5 => format!("{} + {number}", self.integer()),
            6 => format!("{} - {number}", self.integer()),
            7 => format!("{} + {}", self.integer(), self.integer()),
            8 => format!("{} * {}", number + 1, self.integer()),
            9 => format!("2 * {} - {}", self.integer(), self.integer()),
            10 => format!("{} % {}", self.integer(), number + 1),
            11 => format!("{} / {}", self.integer(), number + 1),
            12 => format!(
                "({} ? {} : {})",
                self.condition(),
                self.integer(),
                self.integer()
            ),
            13 if !self.scope.integer_functions.is_empty() => {
                let function = self
                    .decisions
                    .one_name(&self.scope.integer_functions.clone());
                format!("{function}({})", self.integer())
            }
            14 => format!("({} & {})", self.integer(), number + 1),
            _ => number.to_string(),
        }
    }

    /// A subscript, which may change variables.
    fn subscript(&mut self) -> String {
        let variable = self.unread_variable();
        match (self.decisions.choose("subscript", 12), variable) {
            (0, Some(variable)) => format!("{variable}++"),
            (1, Some(variable)) => format!("++{variable}"),
            (2, Some(variable)) => format!("{variable}--"),
            (3, Some(variable)) => format!("({variable} += 2)"),
            (4, Some(variable)) => {
                let value = self.decisions.within(0, 6);
                format!("({variable} = {value})")
            }
            (5, _) => self.load_of_integer(),
            _ => self.index(),
        }
    }

    /// A variable that the statement under way neither reads nor changes so far, and will not.
    pub(super) fn unread_variable(&mut self) -> Option<String> {
        let mut names = self.scope.variables.clone();
        let scope = &self.scope;
        names.retain(|name| !scope.changed.contains(name) && !scope.read.contains(name));
        if names.is_empty() || !self.decisions.once_in(3) {
            return None;
        }
        let name = self.decisions.one_name(&names);
        self.scope.changed.push(name.clone());
        Some(name)
    }

    /// An element of the array of integers: small numbers.
    pub(super) fn load_of_integer(&mut self) -> String {
        let index = self.index();
        self.load(&format!("q[{index}]"))
    }

    /// A double that lies in memory.
    pub(super) fn element(&mut self) -> String {
        let arrays = self.scope.arrays.clone();
        let pointers = self.scope.pointers.clone();
        let array = self.decisions.one_name(&arrays);
        match self.decisions.choose("element", 14) {
            0 => format!("*({array} + {})", self.subscript()),
            1 => format!("d[{}][{}]", self.subscript(), self.index()),
            2 => format!("s[{}].x", self.subscript()),
            3 => format!("s[{}].y[{} & 1]", self.subscript(), self.integer()),
            4 => format!("(s + {})->x", self.subscript()),
            5 if !pointers.is_empty() => self.element_behind(&pointers),
            6 if !pointers.is_empty() => {
                let pointer = self.unchanged(&pointers);
                format!("{pointer}[{}]", self.subscript())
            }
            _ => format!("{array}[{}]", self.subscript()),
        }
    }

    fn element_behind(&mut self, pointers: &[String]) -> String {
        let pointer = self.decisions.one_name(pointers);
        let scope = &mut self.scope;
        if scope.changed.contains(&pointer) {
            return "a[0]".to_owned();
        }
        if scope.read.contains(&pointer) || self.decisions.once_in(3) {
            self.scope.read.push(pointer.clone());
            return format!("*{pointer}");
        }
        self.scope.changed.push(pointer.clone());
        match self.decisions.below(3) {
            0 => format!("*{pointer}++"),
            1 => format!("*--{pointer}"),
            _ => format!("*++{pointer}"),
        }
    }

    /// A pointer that the statement under way does not change.
    fn unchanged(&mut self, pointers: &[String]) -> String {
        let pointer = self.decisions.one_name(pointers);
        match self.scope.changed.contains(&pointer) {
            true => "a".to_owned(),
            false => {
                self.scope.read.push(pointer.clone());
                pointer
            }
        }
    }

    /// An element, as it is loaded.
    pub(super) fn load(&mut self, element: &str) -> String {
        surrounded(&format!("LD({}, ", self.line), element, ")")
    }

    /// An expression of doubles.
    pub(super) fn value(&mut self, depth: usize) -> String {
        match self.decisions.choose("value", 9) {
            0 => format!("{}.5", self.decisions.within(0, 3)),
            1..=3 if 0 < depth => {
                let left = self.value(depth - 1);
                let element = self.element();
                let right = self.load(&element);
                self.operation(&left, &right)
            }
            4 if 0 < depth => {
                let condition = self.condition();
                let element = self.element();
                let then = self.load(&element);
                format!("({condition} ? {then} : {})", self.value(depth - 1))
            }
            _ => {
                let element = self.element();
                self.load(&element)
            }
        }
    }

    /// An operation on doubles, of which not both are constants.
    fn operation(&mut self, left: &str, right: &str) -> String {
        let operator = self.decisions.one_of(&["+", "-", "*"]);
        let text = format!("({left} {operator} {right})");
        surrounded(&format!("(FLOP({}), ", self.line), &text, ")")
    }

    /// A condition that sizes decide.
    pub(super) fn condition(&mut self) -> String {
        let comparison = self.decisions.one_of(&["<", "<=", ">", ">=", "==", "!="]);
        let left = self.integer();
        let right = match self.decisions.once_in(2) {
            true => self.integer(),
            false => self.decisions.within(0, 8).to_string(),
        };
        let plain = format!("{left} {comparison} {right}");
        match self.decisions.choose("condition", 12) {
            0 => format!(
                "{plain} && {} > {}",
                self.integer(),
                self.decisions.within(0, 3)
            ),
            1 => format!("({plain} || {} % 3 == 1)", self.integer()),
            2 => format!("!({plain})"),
            3 => format!("{} % 2", self.integer()),
            _ => plain,
        }
    }

    /// A condition that may load.
    pub(super) fn any_condition(&mut self) -> String {
        let plain = self.condition();
        if !self.decisions.once_in(5) {
            return plain;
        }
        let element = self.element();
        let load = self.load(&element);
        match self.decisions.below(3) {
            0 => format!("{load} > 0.5"),
            1 => format!("{plain} && {load} > 0.5"),
            _ => format!("({plain} || {load} > 0.5)"),
        }
    }

    /// What counts a copy of a whole struct.
    pub(super) fn struct_copy_counters(&self) -> String {
        let line = self.line;
        counted_only(&format!(" LOADS({line}, 5); STORES({line}, 5);"))
    }
}
