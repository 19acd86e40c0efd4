//! Programs from numbers.

use super::program::{
    Array, Comparison, Exit, Integer, Place, Program, Statement, Test, Variable, Width,
};
use crate::decisions::Decisions;
use crate::language::Language;

/// The program of a number for a language.
pub(super) fn program(number: u64, language: Language) -> Program {
    let mut decisions = Decisions::of(number);
    let sizes = [decisions.within(3, 21), decisions.within(2, 13)];
    let mut program = Program {
        number,
        sizes,
        body: Vec::new(),
        called: Vec::new(),
    };
    let mut generator = Generator {
        decisions,
        language,
        read: vec![program.size(0), program.size(1)],
        changed: Vec::new(),
        n_names: 0,
        n_loops: 0,
        left: 9,
        arrays: [Array::A, Array::B],
        is_called: false,
    };
    program.body = generator.function_body();
    generator.arrays = [Array::X, Array::Y];
    generator.is_called = true;
    generator.left = 3;
    generator.changed = Vec::new();
    generator.read = vec![Variable {
        name: "k".to_owned(),
        width: Width::I32,
    }];
    program.called = vec![generator.counted_loop()];
    program
}

struct Generator {
    decisions: Decisions,
    language: Language,
    /// Variables that expressions read.
    read: Vec<Variable>,
    /// Those of them that statements change.
    changed: Vec<Variable>,
    n_names: usize,
    n_loops: usize,
    left: usize,
    arrays: [Array; 2],
    is_called: bool,
}

impl Generator {
    fn function_body(&mut self) -> Vec<Statement> {
        let mut body = Vec::new();
        for _ in 0..self.decisions.within(1, 2) {
            let variable = self.new_variable("v");
            let first = self.expression();
            body.push(Statement::Assign(variable.clone(), first));
            self.read.push(variable.clone());
            self.changed.push(variable);
        }
        for _ in 0..self.decisions.within(1, 2) {
            body.push(self.any_loop());
        }
        body.push(Statement::Store(self.place()));
        body
    }

    fn new_variable(&mut self, kind: &str) -> Variable {
        self.n_names += 1;
        let width = match self.decisions.below(5) {
            _ if self.language == Language::Fortran => Width::I32,
            0 => Width::U32,
            1 => Width::U8,
            2 => Width::I16,
            _ => Width::I32,
        };
        Variable {
            name: format!("{kind}{}", self.n_names),
            width,
        }
    }

    fn variable(&mut self) -> Variable {
        let idx = self.decisions.below(self.read.len());
        self.read[idx].clone()
    }

    fn expression(&mut self) -> Integer {
        let number = self.decisions.within(0, 5);
        let variable = Box::new(Integer::Variable(self.variable()));
        match self.decisions.choose("expression", 10) {
            0 => Integer::Constant(number),
            1 | 2 => Integer::Plus(variable, Box::new(Integer::Constant(number))),
            3 => Integer::Minus(variable, Box::new(Integer::Constant(number))),
            4 => Integer::Plus(variable, Box::new(Integer::Variable(self.variable()))),
            5 => Integer::Times(number + 1, variable),
            6 => Integer::Quotient(variable, number + 1),
            7 => Integer::Remainder(variable, number + 2),
            8 => Integer::Minus(
                Box::new(Integer::Times(2, variable)),
                Box::new(Integer::Variable(self.variable())),
            ),
            _ => *variable,
        }
    }

    fn place(&mut self) -> Place {
        Place {
            array: self.arrays[self.decisions.below(2)],
            subscript: self.expression(),
        }
    }

    fn test(&mut self) -> Test {
        let comparison = match self.decisions.below(6) {
            0 => Comparison::Equal,
            1 => Comparison::NotEqual,
            2 => Comparison::LessEqual,
            3 => Comparison::Greater,
            _ => Comparison::Less,
        };
        let left = Integer::Variable(self.variable());
        let plain = Test::Compare(comparison, left, self.expression());
        match self.decisions.choose("test", 6) {
            0 => Test::Both(
                Box::new(plain),
                Box::new(Test::Compare(
                    Comparison::Less,
                    Integer::Variable(self.variable()),
                    self.expression(),
                )),
            ),
            _ => plain,
        }
    }

    fn any_loop(&mut self) -> Statement {
        match self.decisions.choose("loop", 8) {
            0 => self.while_loop(),
            1 => self.geometric_loop(),
            2 => self.meeting_loop(),
            _ => self.counted_loop(),
        }
    }

    /// The body of a loop in which these variables can be read; the last statements may leave it.
    fn body_with(&mut self, counters: &[&Variable]) -> Vec<Statement> {
        let n_read = self.read.len();
        self.read.extend(counters.iter().map(|one| (*one).clone()));
        self.n_loops += 1;
        let mut body = Vec::new();
        for _ in 0..self.decisions.within(1, 3) {
            body.push(self.statement());
        }
        self.n_loops -= 1;
        self.read.truncate(n_read);
        body
    }

    fn counted_loop(&mut self) -> Statement {
        let mut counter = self.new_variable("i");
        let may_change = self.language == Language::C;
        if !may_change {
            counter.width = Width::I32;
        }
        let step = [1, 1, 1, 2, 3, -1, -2][self.decisions.below(7)];
        let (mut first, mut bound) = (
            Integer::Constant(self.decisions.within(0, 3)),
            self.expression(),
        );
        if step < 0 {
            std::mem::swap(&mut first, &mut bound);
        }
        let may_change = may_change && self.decisions.once_in(5);
        if may_change {
            self.changed.push(counter.clone());
        }
        let body = self.body_with(&[&counter]);
        if may_change {
            self.changed.pop();
        }
        Statement::For {
            counter,
            first,
            bound,
            step,
            body,
        }
    }

    /// `while (v < e) { …; v += step; }`
    fn while_loop(&mut self) -> Statement {
        let Some(variable) = self.changed.first().cloned() else {
            return self.counted_loop();
        };
        let bound = self.expression();
        let step = self.decisions.within(1, 3);
        let mut body = self.body_with(&[]);
        body.push(Statement::Step(variable.clone(), step));
        let test = Test::Compare(Comparison::Less, Integer::Variable(variable), bound);
        Statement::While(test, body)
    }

    fn geometric_loop(&mut self) -> Statement {
        let counter = Variable {
            width: Width::I32,
            ..self.new_variable("g")
        };
        let bound = self.expression();
        let body = self.body_with(&[&counter]);
        Statement::Geometric {
            counter,
            first: self.decisions.within(1, 2),
            bound,
            factor: self.decisions.within(2, 3),
            body,
        }
    }

    fn meeting_loop(&mut self) -> Statement {
        let wide = |variable| Variable {
            width: Width::I32,
            ..variable
        };
        let (low, high) = (wide(self.new_variable("l")), wide(self.new_variable("h")));
        let end = self.expression();
        let body = self.body_with(&[&low, &high]);
        Statement::Meet {
            low,
            high,
            end,
            body,
        }
    }

    fn statement(&mut self) -> Statement {
        let place = self.place();
        if self.left == 0 {
            return Statement::Store(place);
        }
        self.left -= 1;
        match self.decisions.choose("statement", 16) {
            0 => Statement::Update(place),
            1 => Statement::Copy(place, self.place()),
            2 => self.branch(),
            3 | 4 => self.exit(),
            5 => self.step(place),
            6 if !self.is_called => {
                let (lengths, other) = (self.expression(), self.expression());
                Statement::Zip(lengths, other)
            }
            7 => self.section(),
            8 if !self.is_called => {
                let (variable, plus) = (self.variable(), self.decisions.within(0, 3));
                Statement::Put(variable, plus)
            }
            9 => self.shadow(),
            10 if !self.is_called => self.call(),
            11 if self.n_loops < 3 => self.any_loop(),
            12 => self.element_branch(),
            13 => self.new_bound(place),
            _ => Statement::Store(place),
        }
    }

    fn branch(&mut self) -> Statement {
        let test = self.test();
        let then = vec![Statement::Store(self.place())];
        let otherwise = match self.decisions.once_in(2) {
            true => vec![Statement::Update(self.place())],
            false => Vec::new(),
        };
        Statement::If(test, then, otherwise)
    }

    /// A branch that data decide.
    fn element_branch(&mut self) -> Statement {
        let test = Test::Element(self.place());
        Statement::If(test, vec![Statement::Store(self.place())], Vec::new())
    }

    fn exit(&mut self) -> Statement {
        let exit = match self.decisions.choose("exit", 4) {
            0 => Exit::Stop,
            1 => Exit::Return,
            2 => Exit::Continue,
            _ => Exit::Break,
        };
        Statement::If(self.test(), vec![Statement::Leave(exit)], Vec::new())
    }

    fn step(&mut self, place: Place) -> Statement {
        match self.changed.last() {
            Some(variable) => Statement::Step(variable.clone(), self.decisions.within(-2, 3)),
            None => Statement::Store(place),
        }
    }

    /// A variable that a bound may be made of changes.
    fn new_bound(&mut self, place: Place) -> Statement {
        match self.changed.first().cloned() {
            Some(variable) => Statement::Assign(variable, self.expression()),
            None => Statement::Store(place),
        }
    }

    fn section(&mut self) -> Statement {
        let array = self.arrays[self.decisions.below(2)];
        let step = [1, 2, 3, -1, -2][self.decisions.below(5)];
        let (first, last) = (
            Integer::Constant(self.decisions.within(0, 3)),
            self.expression(),
        );
        match step < 0 {
            true => Statement::Section(array, last, first, step),
            false => Statement::Section(array, first, last, step),
        }
    }

    fn shadow(&mut self) -> Statement {
        let variable = self.variable();
        let value = match self.variable() {
            other if other.name == variable.name => Integer::Constant(2),
            other => Integer::Variable(other),
        };
        let is_size = variable.name.starts_with(['n', 'm', 'k']);
        if is_size {
            return Statement::Store(self.place());
        }
        let body = vec![
            Statement::Store(Place {
                array: self.arrays[0],
                subscript: Integer::Variable(variable.clone()),
            }),
            Statement::Step(variable.clone(), 1),
            Statement::Update(self.place()),
        ];
        Statement::Shadow(variable, value, body)
    }

    fn call(&mut self) -> Statement {
        let (x, y) = match self.language {
            Language::Rust => (Array::A, Array::B),
            _ => (
                self.arrays[self.decisions.below(2)],
                self.arrays[self.decisions.below(2)],
            ),
        };
        let (first, second) = (self.decisions.within(0, 2), self.decisions.within(0, 4));
        let size = self.expression();
        Statement::Call((x, first), (y, second), size)
    }
}
