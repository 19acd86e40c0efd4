//! Expressions of Rust.

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
            5 | 6 => format!("{} + {number}", self.integer()),
            7 => format!("{} + {}", self.integer(), self.integer()),
            8 => format!("{} * {}", number + 1, self.integer()),
            9 => format!("{}.saturating_sub({number})", self.integer()),
            10 => format!("{} % {}", self.integer(), number + 1),
            11 => format!("{} / {}", self.integer(), number + 1),
            12 => {
                let condition = self.condition();
                let (then, otherwise) = (self.integer(), self.integer());
                format!("(if {condition} {{ {then} }} else {{ {otherwise} }})")
            }
            13 if !self.scope.integer_functions.is_empty() => {
                let function = self
                    .decisions
                    .one_name(&self.scope.integer_functions.clone());
                format!("{function}({})", self.integer())
            }
            14 => format!("{}.min({})", self.integer(), self.integer()),
            15 => format!("{}.at({})", self.integer(), self.integer()),
            16 => format!("({}, {}).at({number})", self.integer(), self.integer()),
            _ => number.to_string(),
        }
    }

    /// A subscript, which may change variables.
    fn subscript(&mut self) -> String {
        let variables = self.scope.variables.clone();
        match self.decisions.choose("subscript", 12) {
            0 if !variables.is_empty() => {
                let variable = self.decisions.one_name(&variables);
                format!("{{ {variable} += 1; {variable} }}")
            }
            1 if !variables.is_empty() => {
                let variable = self.decisions.one_name(&variables);
                let value = self.index();
                format!("{{ {variable} = {value}; {variable} + 1 }}")
            }
            2 => self.load_of_integer(),
            _ => self.index(),
        }
    }

    /// An element of the slice of integers: small numbers.
    fn load_of_integer(&mut self) -> String {
        let index = self.index();
        self.load(&format!("q[{index}]"))
    }

    /// A double that may be stored to.
    pub(super) fn element(&mut self) -> String {
        let arrays = self.scope.arrays.clone();
        let array = self.decisions.one_name(&arrays);
        let has_others = self.scope.has_others;
        match self.decisions.choose("element", 10) {
            0 if has_others => format!("d[{}][{} % 9]", self.subscript(), self.integer()),
            1 if has_others => format!("s[{}].x", self.subscript()),
            2 => format!("{array}[1..][{}]", self.index()),
            _ => format!("{array}[{}]", self.subscript()),
        }
    }

    /// A double, as it is read.
    pub(super) fn read(&mut self) -> String {
        let places = self.scope.places.clone();
        let place = match self.decisions.choose("read", 6) {
            0..=2 if !places.is_empty() => self.decisions.one_name(&places),
            3 | 4 => format!("c[{}]", self.subscript()),
            _ => self.element(),
        };
        self.load(&place)
    }

    /// A place, as it is loaded.
    pub(super) fn load(&mut self, place: &str) -> String {
        surrounded(&format!("ld({}, ", self.line), place, ")")
    }

    /// An expression of doubles.
    pub(super) fn value(&mut self, depth: usize) -> String {
        match self.decisions.choose("value", 10) {
            0 => format!("{}.5", self.decisions.within(0, 3)),
            1..=3 if 0 < depth => {
                let (left, right) = (self.value(depth - 1), self.read());
                self.operation(&left, &right)
            }
            4 if 0 < depth => {
                let condition = self.any_condition();
                let (then, otherwise) = (self.read(), self.value(depth - 1));
                format!("(if {condition} {{ {then} }} else {{ {otherwise} }})")
            }
            5 if 0 < depth => self.reduction(),
            _ => self.read(),
        }
    }

    /// An operation on doubles, of which not both are constants.
    pub(super) fn operation(&mut self, left: &str, right: &str) -> String {
        let operator = self.decisions.one_of(&["+", "-", "*"]);
        let text = format!("{left} {operator} {right}");
        surrounded(&format!("fl({}, ", self.line), &text, ")")
    }

    /// A number that an iterator yields.
    fn reduction(&mut self) -> String {
        let line = self.line;
        let (first, count) = (self.decisions.within(0, 2), self.integer());
        let slice = format!("c[{first}..{first} + {count}]");
        let load = |place: &str| surrounded(&format!("ld({line}, "), place, ")");
        let add = |text: &str| surrounded(&format!("fl({line}, "), text, ")");
        match self.decisions.choose("reduction", 5) {
            0 => {
                let sum = add(&format!("s + {}", load("*x")));
                format!("{slice}.iter().fold(0.0, |s, x| {sum})")
            }
            1 => {
                let product = add(&format!("{} * 1.5", load("*x")));
                let sum = add(&format!("s + {product}"));
                format!("{slice}.iter().fold(0.0, |s, x| {sum})")
            }
            2 => {
                let product = add(&format!("{} * {}", load("*x"), load("*y")));
                let sum = add(&format!("s + {product}"));
                format!("{slice}.iter().zip(c[5..].iter()).fold(0.0, |s, (x, y)| {sum})")
            }
            3 => {
                let sum = add(&format!("s + {}", load("c[i]")));
                format!("(0..{count}).rev().fold(0.0, |s, i| {sum})")
            }
            _ => {
                let load = load("**x");
                format!("({slice}.iter().filter(|x| {load} > 0.5).count() as f64)")
            }
        }
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
            3 => format!("matches!({} % 4, 1 | 2)", self.integer()),
            _ => plain,
        }
    }

    /// A condition that may load.
    pub(super) fn any_condition(&mut self) -> String {
        let plain = self.condition();
        if !self.decisions.once_in(5) {
            return plain;
        }
        let load = self.read();
        match self.decisions.below(3) {
            0 => format!("{load} > 0.5"),
            1 => format!("{plain} && {load} > 0.5"),
            _ => format!("({plain} || {load} > 0.5)"),
        }
    }

    /// What counts stores to the line under way, before it.
    pub(super) fn stores(&self, count: &str) -> String {
        counted_only(&format!("count(1, {}, {count}); ", self.line))
    }

    /// What counts loads.
    pub(super) fn loads(&self, count: &str) -> String {
        counted_only(&format!("count(0, {}, {count}); ", self.line))
    }
}
