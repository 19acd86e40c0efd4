//! Expressions of Fortran.

use super::Writer;
use crate::programs::marked::{counted_only, surrounded};

impl Writer {
    /// An integer that the program knows.
    pub(super) fn integer(&mut self) -> String {
        let mut names = self.scope.integers.clone();
        names.extend(self.scope.variables.iter().cloned());
        self.decisions.one_name(&names)
    }

    /// An integer expression.
    pub(super) fn index(&mut self) -> String {
        let number = self.decisions.within(0, 4);
        match self.decisions.choose("index", 18) {
            0..=4 => self.integer(),
            5 => format!("{} + {number}", self.integer()),
            6 => format!("{} - {number}", self.integer()),
            7 => format!("{} + {}", self.integer(), self.integer()),
            8 => format!("{} * {}", number + 1, self.integer()),
            9 => format!("2 * {} - {}", self.integer(), self.integer()),
            10 => format!("mod({}, {})", self.integer(), number + 1),
            11 => format!("{} / {}", self.integer(), number + 1),
            12 => format!("merge({}, {number}, {})", self.integer(), self.condition()),
            13 if !self.scope.integer_functions.is_empty() => {
                let function = self
                    .decisions
                    .one_name(&self.scope.integer_functions.clone());
                format!("{function}({})", self.integer())
            }
            14 => format!("min({}, {})", self.integer(), self.integer()),
            15 => format!("max({}, {number}, {})", self.integer(), self.integer()),
            16 => format!("abs({} - {number})", self.integer()),
            _ => number.to_string(),
        }
    }

    fn subscript(&mut self) -> String {
        match self.decisions.once_in(12) {
            true => {
                let index = self.index();
                surrounded(&format!("ldi({}, ", self.line), &format!("q({index})"), ")")
            }
            false => self.index(),
        }
    }

    /// A double that lies in memory.
    pub(super) fn element(&mut self) -> String {
        let arrays = self.scope.arrays.clone();
        let array = self.decisions.one_name(&arrays);
        match self.decisions.choose("element", 10) {
            0 => format!("d({}, {})", self.subscript(), self.index()),
            1 => format!("s({})%x", self.subscript()),
            _ => format!("{array}({})", self.subscript()),
        }
    }

    /// An element, as it is loaded.
    pub(super) fn load(&mut self, element: &str) -> String {
        surrounded(&format!("ld({}, ", self.line), element, ")")
    }

    /// An expression of doubles.
    pub(super) fn value(&mut self, depth: usize) -> String {
        match self.decisions.choose("value", 10) {
            0 => format!("{}.5d0", self.decisions.within(0, 3)),
            1..=3 if 0 < depth => {
                let left = self.value(depth - 1);
                let element = self.element();
                let right = self.load(&element);
                self.operation(&left, &right)
            }
            4 if 0 < depth => {
                let argument = self.value(depth - 1);
                let line = self.line;
                // sf(x) is x * 2 + 1.
                surrounded(
                    &format!("fl({line}, fl({line}, "),
                    &format!("sf({argument})"),
                    "))",
                )
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
        surrounded(&format!("fl({}, ", self.line), &text, ")")
    }

    /// A condition that sizes decide.
    pub(super) fn condition(&mut self) -> String {
        let comparison = self
            .decisions
            .one_of(&["<", "<=", ">", ">=", "==", "/=", ".lt.", ".ne."]);
        let left = self.integer();
        let right = match self.decisions.once_in(2) {
            true => self.integer(),
            false => self.decisions.within(0, 8).to_string(),
        };
        let plain = format!("{left} {comparison} {right}");
        match self.decisions.choose("condition", 12) {
            0 => format!(
                "{plain} .and. {} > {}",
                self.integer(),
                self.decisions.within(0, 3)
            ),
            1 => format!("{plain} .or. mod({}, 3) == 1", self.integer()),
            2 => format!(".not. ({plain})"),
            3 => format!("({plain}) .eqv. ({} > 2)", self.integer()),
            _ => plain,
        }
    }

    /// A condition that may load.
    pub(super) fn any_condition(&mut self) -> String {
        if !self.decisions.once_in(6) {
            return self.condition();
        }
        let element = self.element();
        let load = self.load(&element);
        format!("{load} > 0.5d0")
    }

    /// What counts loads (0), stores (1) or operations (2) of the line under way, before it.
    pub(super) fn count(&self, what: usize, n: &str) -> String {
        counted_only(&format!("call cn({what}, {}, {n}); ", self.line))
    }
}
