//! Programs are executed with the meaning that they have in a language.

use super::program::{
    Array, Comparison, Exit, Integer, Place, Program, Statement, Test, Variable, Width,
};
use crate::language::Language;

/// So many iterations are executed, then the program is left out.
const FUEL: usize = 2000;
/// So many elements has each array.
pub(super) const ELEMENTS: i64 = 400;

/// An access: the line of its statement, and what it accesses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Access {
    /// The place of the statement among all, in the order of the text.
    pub(super) statement: usize,
    pub(super) is_store: bool,
    pub(super) array: Array,
    pub(super) element: i64,
}

/// What a program accesses, in order; `None` if it does not end soon, leaves its arrays, or means nothing in the language.
pub(super) fn accesses(program: &Program, language: Language) -> Option<Vec<Access>> {
    let bind = |idx: usize| (program.size(idx).name, Width::I32, program.sizes[idx]);
    let mut run = Run {
        program,
        language,
        variables: vec![bind(0), bind(1)],
        parts: [(Array::A, 0), (Array::B, 0)],
        fuel: FUEL,
        accesses: Vec::new(),
    };
    let first = count(&program.called);
    match run.list(&program.body, first) {
        Err(Stop::Lost) => None,
        _ => Some(run.accesses),
    }
}

/// The number of statements, with those inside of others.
pub(super) fn count(list: &[Statement]) -> usize {
    list.iter()
        .map(|one| 1 + inner(one).iter().map(|x| count(x)).sum::<usize>())
        .sum()
}

/// The lists inside of a statement, in the order of the text.
pub(super) fn inner(statement: &Statement) -> Vec<&[Statement]> {
    match statement {
        Statement::If(_, then, otherwise) => vec![then, otherwise],
        Statement::For { body, .. }
        | Statement::While(_, body)
        | Statement::Geometric { body, .. }
        | Statement::Meet { body, .. }
        | Statement::Shadow(_, _, body) => vec![body],
        _ => Vec::new(),
    }
}

/// How an iteration ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    On,
    /// By `continue`.
    Continued,
    /// The loop ends with it.
    Left,
}

/// Why a list of statements is left before its end.
enum Stop {
    Exit(Exit),
    Lost,
}

type Ran<T> = Result<T, Stop>;

struct Run<'p> {
    program: &'p Program,
    language: Language,
    /// Names, innermost last.
    variables: Vec<(String, Width, i64)>,
    /// The arrays that X and Y are parts of, from which element on.
    parts: [(Array, i64); 2],
    fuel: usize,
    accesses: Vec<Access>,
}

impl Run<'_> {
    fn list(&mut self, list: &[Statement], mut number: usize) -> Ran<()> {
        for statement in list {
            self.statement(statement, number)?;
            number += count(std::slice::from_ref(statement));
        }
        Ok(())
    }

    fn statement(&mut self, statement: &Statement, number: usize) -> Ran<()> {
        match statement {
            Statement::Store(place) => self.place(place, true, number),
            Statement::Update(place) => {
                self.place(place, false, number)?;
                self.place(place, true, number)
            }
            Statement::Copy(to, from) => {
                self.place(from, false, number)?;
                self.place(to, true, number)
            }
            Statement::Assign(variable, value) => {
                let value = self.integer(value)?;
                self.set(variable, value)
            }
            Statement::Step(variable, by) => {
                let value = self.value_of(variable)? + by;
                self.set(variable, value)
            }
            Statement::If(test, then, otherwise) => match self.test(test, number)? {
                true => self.list(then, number + 1),
                false => self.list(otherwise, number + 1 + count(then)),
            },
            Statement::Leave(exit) => Err(Stop::Exit(*exit)),
            Statement::Section(array, first, last, step) => {
                let (first, last) = (self.integer(first)?, self.integer(last)?);
                self.section(*array, (first, last, *step), number)
            }
            Statement::Zip(a, b) => {
                let (a, b) = (self.integer(a)?, self.integer(b)?);
                self.zip(a, b, number)
            }
            Statement::Put(variable, plus) => {
                let value = self.value_of(variable)?;
                // The parameter of the macro stands there without parentheses.
                let element = match self.language {
                    Language::C => 2 * value + plus,
                    _ => 2 * (value + plus),
                };
                self.access(Array::A, element, true, number)
            }
            Statement::Shadow(variable, value, body) => {
                let value = variable.width.wrapped(self.integer(value)?);
                self.with(variable, value, |run| run.list(body, number + 1))
            }
            Statement::Call(x, y, size) => {
                let size = self.integer(size)?;
                self.call((*x, *y), size)
            }
            _ => self.loops(statement, number),
        }
    }

    fn loops(&mut self, statement: &Statement, number: usize) -> Ran<()> {
        match statement {
            Statement::For {
                counter,
                first,
                bound,
                step,
                body,
            } => {
                let first = self.integer(first)?;
                let entry = self.integer(bound)?;
                let first = counter.width.wrapped(first);
                self.with(counter, first, |run| {
                    run.counted((counter, *step), (bound, entry), first, (body, number + 1))
                })
            }
            Statement::While(test, body) => {
                while self.test(test, number)? && self.iteration(body, number + 1)? != Flow::Left {}
                Ok(())
            }
            Statement::Geometric {
                counter,
                first,
                bound,
                factor,
                body,
            } => self.with(counter, *first, |run| {
                while run.value_of(counter)? < run.integer(bound)? {
                    match run.iteration(body, number + 1)? {
                        Flow::Left => break,
                        Flow::Continued if run.steps_at_end() => continue,
                        _ => {}
                    }
                    let next = run.value_of(counter)? * factor;
                    run.set(counter, next)?;
                }
                Ok(())
            }),
            Statement::Meet {
                low,
                high,
                end,
                body,
            } => {
                let end = self.integer(end)?;
                self.with(low, 0, |run| {
                    run.with(high, end, |run| run.meet(low, high, (body, number + 1)))
                })
            }
            _ => Ok(()),
        }
    }

    fn meet(&mut self, low: &Variable, high: &Variable, body: (&[Statement], usize)) -> Ran<()> {
        while self.value_of(low)? < self.value_of(high)? {
            match self.iteration(body.0, body.1)? {
                Flow::Left => break,
                Flow::Continued if self.steps_at_end() => continue,
                _ => {}
            }
            let (a, b) = (self.value_of(low)? + 1, self.value_of(high)? - 1);
            self.set(low, a)?;
            self.set(high, b)?;
        }
        Ok(())
    }

    /// C evaluates the bound before each iteration; the others do so once, and the counter is what they say whatever the
    /// body does.
    fn counted(
        &mut self,
        (counter, step): (&Variable, i64),
        (bound, entry): (&Integer, i64),
        first: i64,
        (body, number): (&[Statement], usize),
    ) -> Ran<()> {
        let mut at_entry = first;
        loop {
            let (value, bound) = match self.language {
                Language::C => (self.raw(counter)?, self.integer(bound)?),
                _ => (at_entry, entry),
            };
            if !goes_on(self.language, counter.width, (value, bound), step) {
                return Ok(());
            }
            self.set(counter, value)?;
            if self.iteration(body, number)? == Flow::Left {
                return Ok(());
            }
            at_entry += step;
            let next = self.raw(counter)? + step;
            self.set(counter, next)?;
        }
    }

    /// Executes the body of a loop.
    fn iteration(&mut self, body: &[Statement], number: usize) -> Ran<Flow> {
        self.fuel = self.fuel.checked_sub(1).ok_or(Stop::Lost)?;
        let n_variables = self.variables.len();
        match self.list(body, number) {
            Ok(()) => Ok(Flow::On),
            Err(Stop::Exit(Exit::Continue)) => {
                self.variables.truncate(n_variables);
                Ok(Flow::Continued)
            }
            Err(Stop::Exit(Exit::Break)) => {
                self.variables.truncate(n_variables);
                Ok(Flow::Left)
            }
            Err(other) => Err(other),
        }
    }

    fn section(&mut self, array: Array, range: (i64, i64, i64), number: usize) -> Ran<()> {
        let (first, last, step) = range;
        let (least, greatest) = (first.min(last), first.max(last));
        let is_empty = (step < 0) != (last < first) && first != last;
        // A slice of Rust begins before its end.
        if self.language == Language::Rust && is_empty && 1 < greatest - least {
            return Err(Stop::Lost);
        }
        let mut element = first;
        while (step < 0 && last <= element) || (0 < step && element <= last) {
            self.access(array, element, true, number)?;
            element += step;
        }
        Ok(())
    }

    fn zip(&mut self, a: i64, b: i64, number: usize) -> Ran<()> {
        if self.language == Language::Rust && (a < 0 || b < 0) {
            return Err(Stop::Lost);
        }
        for element in 0..a.min(b) {
            self.access(Array::B, element, false, number)?;
            self.access(Array::A, element, true, number)?;
        }
        Ok(())
    }

    fn call(&mut self, parts: ((Array, i64), (Array, i64)), size: i64) -> Ran<()> {
        let before = std::mem::replace(&mut self.parts, [parts.0, parts.1]);
        let variables = std::mem::replace(
            &mut self.variables,
            vec![("k".to_owned(), Width::I32, size)],
        );
        let program = self.program;
        let ended = self.list(&program.called, 0);
        self.parts = before;
        self.variables = variables;
        match ended {
            Err(Stop::Exit(Exit::Return)) => Ok(()),
            other => other,
        }
    }

    fn place(&mut self, place: &Place, is_store: bool, number: usize) -> Ran<()> {
        let element = self.integer(&place.subscript)?;
        self.access(place.array, element, is_store, number)
    }

    fn access(&mut self, array: Array, element: i64, is_store: bool, number: usize) -> Ran<()> {
        let (array, element) = match array {
            Array::X => (self.parts[0].0, self.parts[0].1 + element),
            Array::Y => (self.parts[1].0, self.parts[1].1 + element),
            array => (array, element),
        };
        if !(0..ELEMENTS).contains(&element) {
            return Err(Stop::Lost);
        }
        self.accesses.push(Access {
            statement: number,
            is_store,
            array,
            element,
        });
        Ok(())
    }

    fn test(&mut self, test: &Test, number: usize) -> Ran<bool> {
        match test {
            Test::Compare(comparison, a, b) => {
                let (a, b) = (self.integer(a)?, self.integer(b)?);
                Ok(match comparison {
                    Comparison::Less => a < b,
                    Comparison::LessEqual => a <= b,
                    Comparison::Equal => a == b,
                    Comparison::NotEqual => a != b,
                    Comparison::Greater => a > b,
                })
            }
            Test::Element(place) => {
                self.place(place, false, number)?;
                // Any data will do.
                Ok(self.accesses.len() * 7 % 11 < 5)
            }
            Test::Both(a, b) => Ok(self.test(a, number)? && self.test(b, number)?),
        }
    }

    fn integer(&self, integer: &Integer) -> Ran<i64> {
        let value = match integer {
            Integer::Constant(x) => *x,
            Integer::Variable(variable) => self.value_of(variable)?,
            Integer::Plus(a, b) => self.integer(a)? + self.integer(b)?,
            Integer::Minus(a, b) => self.integer(a)? - self.integer(b)?,
            Integer::Times(factor, x) => factor * self.integer(x)?,
            Integer::Quotient(x, by) => self.integer(x)? / by,
            Integer::Remainder(x, by) => self.integer(x)? % by,
        };
        fitting(value)
    }

    /// The value of a variable in an expression, which is one of `int`.
    fn value_of(&self, variable: &Variable) -> Ran<i64> {
        fitting(self.raw(variable)?)
    }

    fn raw(&self, variable: &Variable) -> Ran<i64> {
        let mut visible = self.variables.iter().rev();
        let entry = visible.find(|entry| entry.0 == variable.name);
        entry.map(|entry| entry.2).ok_or(Stop::Lost)
    }

    /// Whether the steps of these loops are the last statements of their bodies, which `continue` skips.
    fn steps_at_end(&self) -> bool {
        self.language != Language::C
    }

    fn set(&mut self, variable: &Variable, value: i64) -> Ran<()> {
        let value = match variable.width {
            Width::I32 => fitting(value)?,
            width => width.wrapped(value),
        };
        let mut visible = self.variables.iter_mut().rev();
        match visible.find(|entry| entry.0 == variable.name) {
            Some(entry) => entry.2 = value,
            None => self
                .variables
                .push((variable.name.clone(), variable.width, value)),
        }
        Ok(())
    }

    fn with(
        &mut self,
        variable: &Variable,
        value: i64,
        run: impl FnOnce(&mut Self) -> Ran<()>,
    ) -> Ran<()> {
        let n_variables = self.variables.len();
        self.variables
            .push((variable.name.clone(), variable.width, value));
        let result = run(self);
        self.variables.truncate(n_variables);
        result
    }
}

/// A number, if an `int` can be it.
fn fitting(value: i64) -> Ran<i64> {
    match i32::try_from(value) {
        Ok(_) => Ok(value),
        Err(_) => Err(Stop::Lost),
    }
}

/// Whether a counted loop goes on, where C compares unsigned numbers if one of them is.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a bound that is compared with an unsigned number wraps around"
)]
fn goes_on(language: Language, width: Width, (value, bound): (i64, i64), step: i64) -> bool {
    let is_unsigned = language == Language::C && width == Width::U32;
    let bound = match is_unsigned {
        true => i64::from(bound as u32),
        false => bound,
    };
    match step < 0 {
        true => bound < value,
        false => value < bound,
    }
}
