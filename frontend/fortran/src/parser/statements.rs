//! One statement: what it is, by its first words.

use super::cursor::{Cursor, Parsed};
use crate::syntax::{
    CaseRange, Control, Counter, Expr, Ident, Key, SpecificationKind as Spec, Statement,
    StatementKind as Exec, TypeSpec, UnitKind,
};
use crate::text::TokenKind;

/// A statement by itself, before blocks are put together.
#[derive(Debug)]
pub(super) enum Flat {
    Specification(Box<Spec>),
    /// Executable, and no part of a block's frame.
    Executable(Exec),
    /// `a(i) = x`, which may define a statement function.
    Assignment(Expr, Expr),
    Unit(Box<Header>),
    Contains,
    /// `END`, with what it ends where it says so.
    End(Option<Key>),
    IfThen(Expr),
    ElseIf(Expr),
    Else,
    Do(Option<u32>, Box<Control>),
    Select(Expr),
    SelectType,
    Case(Vec<CaseRange>),
    /// An arm of `SELECT TYPE`.
    TypeCase,
    Where(Expr),
    ElseWhere(Option<Expr>),
    Forall(Vec<Counter>, Option<Expr>),
    Block,
    Associate(Vec<(Key, Expr)>),
    DerivedType(Ident, Option<Key>),
    /// `PROCEDURE :: name => target` in a derived type, or in an interface.
    Procedures(Vec<(Key, Key)>),
    Interface(Option<Key>),
    Entry(Ident),
    /// Changes nothing.
    Nothing,
}

/// The first statement of a program unit.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) kind: UnitKind,
    pub(super) name: Ident,
    pub(super) dummies: Vec<Option<Ident>>,
    pub(super) result: Option<Ident>,
    pub(super) prefix: Option<TypeSpec>,
}

/// Reads a statement.
pub(super) fn statement(cursor: &mut Cursor) -> Parsed<Flat> {
    if let Some(flat) = assignment(cursor)? {
        return Ok(flat);
    }
    let Some(word) = cursor.word().cloned() else {
        return cursor.fail();
    };
    if let Some(flat) = cursor.block_statement(&word)? {
        return Ok(flat);
    }
    if let Some(flat) = cursor.unit_header()? {
        return Ok(flat);
    }
    if let Some(spec) = cursor.specification(&word)? {
        return Ok(spec);
    }
    match cursor.executable(&word)? {
        Some(exec) => Ok(Flat::Executable(exec)),
        None => cursor.fail(),
    }
}

/// `x = e` and `p => e`: no keyword is reserved, so these are told by their `=`.
fn assignment(cursor: &mut Cursor) -> Parsed<Option<Flat>> {
    if cursor.word().is_none() {
        return Ok(None);
    }
    let start = cursor.position();
    cursor.advance();
    loop {
        if cursor.is_mark("(") {
            cursor.skip_parentheses();
        } else if cursor.is_mark("%") {
            cursor.advance();
            cursor.advance();
        } else {
            break;
        }
    }
    let is_pointer = cursor.is_mark("=>");
    let is_assignment = is_pointer || cursor.is_mark("=");
    cursor.back_to(start);
    if !is_assignment {
        return Ok(None);
    }
    let left = cursor.designator()?;
    cursor.advance();
    let right = cursor.expr()?;
    cursor.end()?;
    Ok(Some(match is_pointer {
        true => Flat::Executable(Exec::PointTo(left, right)),
        false => Flat::Assignment(left, right),
    }))
}

impl Cursor<'_> {
    /// A statement that opens, divides or closes a block.
    fn block_statement(&mut self, word: &str) -> Parsed<Option<Flat>> {
        let flat = match word {
            "if" if self.is_mark_after(1, "(") => self.if_statement()?,
            "else" => {
                self.advance();
                if self.eat_word("if") {
                    self.else_if()?
                } else if self.eat_word("where") {
                    self.else_where()?
                } else {
                    self.skip();
                    Flat::Else
                }
            }
            "elseif" => {
                self.advance();
                self.else_if()?
            }
            "elsewhere" => {
                self.advance();
                self.else_where()?
            }
            "do" => {
                self.advance();
                self.do_statement()?
            }
            "select" | "selectcase" | "selecttype" => self.select(word)?,
            "case" => {
                self.advance();
                self.case()?
            }
            "rank" | "class" | "type" if matches!(self.peek_after(1), Some(TokenKind::Name(x)) if matches!(&**x, "is" | "default")) =>
            {
                self.skip();
                Flat::TypeCase
            }
            "where" => {
                self.advance();
                self.where_statement()?
            }
            "forall" => {
                self.advance();
                self.forall()?
            }
            "block" if self.peek_after(1).is_none() => {
                self.advance();
                Flat::Block
            }
            "associate" => {
                self.advance();
                self.associate()?
            }
            "critical" => {
                self.skip();
                Flat::Block
            }
            "contains" => {
                self.advance();
                Flat::Contains
            }
            _ => match end_of(word) {
                Some(what) => self.end_statement(what)?,
                None => return Ok(None),
            },
        };
        Ok(Some(flat))
    }

    /// `END`, `END DO name`, `ENDDO`
    fn end_statement(&mut self, joined: &str) -> Parsed<Flat> {
        self.advance();
        let what = match joined {
            "" => self.word().cloned(),
            joined => Some(joined.into()),
        };
        // `ENDFILE` and `END FILE` are input and output.
        if what.as_deref() == Some("file") {
            self.skip();
            return Ok(Flat::Executable(Exec::Transfer(Vec::new())));
        }
        self.skip();
        Ok(Flat::End(what))
    }

    fn if_statement(&mut self) -> Parsed<Flat> {
        self.advance();
        self.expect("(")?;
        let condition = self.expr()?;
        self.expect(")")?;
        if self.is_word("then") && self.peek_after(1).is_none() {
            return Ok(Flat::IfThen(condition));
        }
        if let Some(TokenKind::Integer(_)) = self.peek() {
            let first = self.label()?;
            self.expect(",")?;
            let second = self.label()?;
            self.expect(",")?;
            let third = self.label()?;
            self.end()?;
            let labels = [first, second, third];
            return Ok(Flat::Executable(Exec::ArithmeticIf(condition, labels)));
        }
        let statement = self.action()?;
        Ok(Flat::Executable(Exec::If(vec![(
            Some(condition),
            vec![statement],
        )])))
    }

    /// A statement that may stand behind `IF (…)`, `WHERE (…)` or `FORALL (…)`.
    fn action(&mut self) -> Parsed<Statement> {
        let at = self.here();
        let kind = match self.deeper(statement)? {
            Flat::Executable(exec) => exec,
            Flat::Assignment(left, right) => Exec::Assign(left, right),
            Flat::Nothing => Exec::Continue,
            _ => return self.fail(),
        };
        Ok(Statement {
            label: None,
            at: self.since(at),
            kind,
        })
    }

    fn else_if(&mut self) -> Parsed<Flat> {
        self.expect("(")?;
        let condition = self.expr()?;
        self.expect(")")?;
        self.eat_word("then");
        self.skip();
        Ok(Flat::ElseIf(condition))
    }

    fn else_where(&mut self) -> Parsed<Flat> {
        let mask = match self.eat("(") {
            true => {
                let mask = self.expr()?;
                self.expect(")")?;
                Some(mask)
            }
            false => None,
        };
        self.skip();
        Ok(Flat::ElseWhere(mask))
    }

    /// What follows `DO`.
    fn do_statement(&mut self) -> Parsed<Flat> {
        let label = match self.peek() {
            Some(TokenKind::Integer(_)) => Some(self.label()?),
            _ => None,
        };
        self.eat(",");
        if self.is_at_end() {
            return Ok(Flat::Do(label, Box::new(Control::Forever)));
        }
        if self.is_mark_after(1, "(") && (self.eat_word("while") || self.eat_word("dowhile")) {
            self.expect("(")?;
            let condition = self.expr()?;
            self.expect(")")?;
            self.end()?;
            return Ok(Flat::Do(label, Box::new(Control::While(condition))));
        }
        if self.is_mark_after(1, "(") && self.eat_word("concurrent") {
            let (counters, mask) = self.counters()?;
            self.skip(); // locality
            return Ok(Flat::Do(
                label,
                Box::new(Control::Concurrent(counters, mask)),
            ));
        }
        let variable = self.designator()?;
        self.expect("=")?;
        let counter = self.counter_bounds(variable, ",")?;
        self.end()?;
        Ok(Flat::Do(label, Box::new(Control::Counted(counter))))
    }

    /// `first, last, step`
    pub(super) fn counter_bounds(&mut self, variable: Expr, mark: &str) -> Parsed<Counter> {
        let first = self.expr()?;
        self.expect(mark)?;
        let last = self.expr()?;
        let step = match self.eat(mark) {
            true => Some(self.expr()?),
            false => None,
        };
        Ok(Counter {
            variable,
            first,
            last,
            step,
        })
    }

    /// `(i = 1:n, j = 1:m, mask)`
    fn counters(&mut self) -> Parsed<(Vec<Counter>, Option<Expr>)> {
        self.expect("(")?;
        if self.is_word("integer") {
            self.type_spec()?;
            self.expect("::")?;
        }
        let mut counters = Vec::new();
        let mut mask = None;
        loop {
            if self.word().is_some() && self.is_mark_after(1, "=") {
                let variable = self.designator()?;
                self.advance();
                counters.push(self.counter_bounds(variable, ":")?);
            } else {
                mask = Some(self.expr()?);
            }
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok((counters, mask))
    }

    fn select(&mut self, word: &str) -> Parsed<Flat> {
        self.advance();
        let is_case = word == "selectcase" || (word == "select" && self.eat_word("case"));
        if !is_case {
            self.skip();
            return Ok(Flat::SelectType);
        }
        self.expect("(")?;
        let value = self.expr()?;
        self.expect(")")?;
        self.end()?;
        Ok(Flat::Select(value))
    }

    fn case(&mut self) -> Parsed<Flat> {
        if self.eat_word("default") {
            self.skip();
            return Ok(Flat::Case(Vec::new()));
        }
        self.expect("(")?;
        let ranges = self.list(|c| {
            let first = match c.is_mark(":") {
                true => None,
                false => Some(c.expr()?),
            };
            if !c.eat(":") {
                return first.map(CaseRange::Value).map_or_else(|| c.fail(), Ok);
            }
            let last = match c.is_mark(",") || c.is_mark(")") {
                true => None,
                false => Some(c.expr()?),
            };
            Ok(CaseRange::Range(first, last))
        })?;
        self.expect(")")?;
        self.skip();
        Ok(Flat::Case(ranges))
    }

    fn where_statement(&mut self) -> Parsed<Flat> {
        self.expect("(")?;
        let mask = self.expr()?;
        self.expect(")")?;
        if self.is_at_end() {
            return Ok(Flat::Where(mask));
        }
        let statement = self.action()?;
        Ok(Flat::Executable(Exec::Where(vec![(
            Some(mask),
            vec![statement],
        )])))
    }

    fn forall(&mut self) -> Parsed<Flat> {
        let (counters, mask) = self.counters()?;
        if self.is_at_end() {
            return Ok(Flat::Forall(counters, mask));
        }
        let statement = self.action()?;
        Ok(Flat::Executable(Exec::Forall(Box::new(
            crate::syntax::Forall {
                counters,
                mask,
                body: vec![statement],
            },
        ))))
    }

    fn associate(&mut self) -> Parsed<Flat> {
        self.expect("(")?;
        let list = self.list(|c| {
            let name = c.ident()?.key;
            c.expect("=>")?;
            Ok((name, c.expr()?))
        })?;
        self.expect(")")?;
        self.end()?;
        Ok(Flat::Associate(list))
    }
}

/// What a word ends: `enddo` ends a `do`, `end` is followed by what it ends.
fn end_of(word: &str) -> Option<&str> {
    let rest = word.strip_prefix("end")?;
    let is_known = matches!(
        rest,
        "" | "do"
            | "if"
            | "select"
            | "where"
            | "forall"
            | "block"
            | "associate"
            | "critical"
            | "program"
            | "module"
            | "submodule"
            | "function"
            | "subroutine"
            | "procedure"
            | "interface"
            | "type"
            | "blockdata"
            | "enum"
            | "team"
    );
    is_known.then_some(rest)
}

pub(super) fn is_procedure_word(word: &str) -> bool {
    matches!(
        word,
        "function" | "subroutine" | "pure" | "elemental" | "recursive" | "impure"
    ) || is_type_word(word)
}

pub(super) fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "integer"
            | "real"
            | "complex"
            | "logical"
            | "character"
            | "byte"
            | "double"
            | "doubleprecision"
            | "doublecomplex"
    )
}
