//! One statement: what it is, by its first words.

use super::cursor::{Cursor, Parsed};
use super::declarations::plain_attribute;
use crate::syntax::{
    Argument, ArgumentValue, Attribute, CaseRange, Control, Counter, Direction, Expr, ExprKind,
    Ident, Key, SpecificationKind as Spec, StatementKind as Exec, TypeSpec, UnitKind,
};
use crate::text::TokenKind;

/// A statement by itself, before blocks are put together.
#[derive(Debug)]
pub(super) enum Flat {
    Specification(Spec),
    /// Executable, and no part of a block's frame.
    Executable(Exec),
    /// `a(i) = x`, which may define a statement function.
    Assignment(Expr, Expr),
    Unit(Header),
    Contains,
    /// `END`, with what it ends where it says so.
    End(Option<Key>),
    IfThen(Expr),
    ElseIf(Expr),
    Else,
    Do(Option<u32>, Control),
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
        let at = self.here();
        let exec = self.action()?;
        let statement = crate::syntax::Statement {
            label: None,
            at: self.since(at),
            kind: exec,
        };
        Ok(Flat::Executable(Exec::If(vec![(
            Some(condition),
            vec![statement],
        )])))
    }

    /// A statement that may stand behind `IF (…)`, `WHERE (…)` or `FORALL (…)`.
    fn action(&mut self) -> Parsed<Exec> {
        match self.deeper(statement)? {
            Flat::Executable(exec) => Ok(exec),
            Flat::Assignment(left, right) => Ok(Exec::Assign(left, right)),
            Flat::Nothing => Ok(Exec::Continue),
            _ => self.fail(),
        }
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
            return Ok(Flat::Do(label, Control::Forever));
        }
        if self.is_mark_after(1, "(") && (self.eat_word("while") || self.eat_word("dowhile")) {
            self.expect("(")?;
            let condition = self.expr()?;
            self.expect(")")?;
            self.end()?;
            return Ok(Flat::Do(label, Control::While(condition)));
        }
        if self.is_mark_after(1, "(") && self.eat_word("concurrent") {
            let (counters, mask) = self.counters()?;
            self.skip(); // locality
            return Ok(Flat::Do(label, Control::Concurrent(counters, mask)));
        }
        let variable = self.designator()?;
        self.expect("=")?;
        let counter = self.counter_bounds(variable, ",")?;
        self.end()?;
        Ok(Flat::Do(label, Control::Counted(counter)))
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
        let at = self.here();
        let kind = self.action()?;
        let statement = crate::syntax::Statement {
            label: None,
            at: self.since(at),
            kind,
        };
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
        let at = self.here();
        let kind = self.action()?;
        let statement = crate::syntax::Statement {
            label: None,
            at: self.since(at),
            kind,
        };
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

    /// `PROGRAM`, `MODULE`, `SUBROUTINE`, `FUNCTION` with what may stand before them.
    fn unit_header(&mut self) -> Parsed<Option<Flat>> {
        let start = self.position();
        let mut prefix = None;
        loop {
            let Some(word) = self.word().cloned() else {
                self.back_to(start);
                return Ok(None);
            };
            match &*word {
                "recursive" | "pure" | "elemental" | "impure" | "non_recursive" => self.advance(),
                "module" if matches!(self.peek_after(1), Some(TokenKind::Name(next)) if is_procedure_word(next)) =>
                {
                    self.advance();
                }
                "function" | "subroutine"
                    if matches!(self.peek_after(1), Some(TokenKind::Name(_))) =>
                {
                    return self.procedure_header(&word, prefix).map(Some);
                }
                "program" | "module" | "submodule" | "blockdata" | "block"
                    if start == self.position() =>
                {
                    return self.plain_header(&word, start);
                }
                _ if prefix.is_none() && is_type_word(&word) => match self.type_spec() {
                    Ok(kind) => prefix = Some(kind),
                    Err(_) => {
                        self.back_to(start);
                        return Ok(None);
                    }
                },
                _ => {
                    self.back_to(start);
                    return Ok(None);
                }
            }
        }
    }

    fn plain_header(&mut self, word: &str, start: usize) -> Parsed<Option<Flat>> {
        let at = self.here();
        self.advance();
        let kind = match word {
            "program" => UnitKind::Program,
            "module" | "submodule" => UnitKind::Module,
            "block" if self.eat_word("data") => UnitKind::BlockData,
            "blockdata" => UnitKind::BlockData,
            _ => {
                self.back_to(start);
                return Ok(None);
            }
        };
        if word == "submodule" {
            self.skip_parentheses();
        }
        if word == "module" && self.is_word("procedure") {
            self.advance();
            let names = self.list(|c| c.ident().map(|x| x.key))?;
            let names = names.into_iter().map(|name| (name.clone(), name)).collect();
            return Ok(Some(Flat::Procedures(names)));
        }
        let name = match self.is_at_end() && kind == UnitKind::BlockData {
            true => Ident { key: "".into(), at },
            false => self.ident()?,
        };
        self.end()?;
        Ok(Some(Flat::Unit(Header {
            kind,
            name,
            dummies: Vec::new(),
            result: None,
            prefix: None,
        })))
    }

    fn procedure_header(&mut self, word: &str, prefix: Option<TypeSpec>) -> Parsed<Flat> {
        self.advance();
        let name = self.ident()?;
        let mut dummies = Vec::new();
        if self.eat("(") && !self.eat(")") {
            dummies = self.list(|c| match c.eat("*") {
                true => Ok(None),
                false => c.ident().map(Some),
            })?;
            self.expect(")")?;
        }
        let mut result = None;
        if self.eat_word("result") {
            self.expect("(")?;
            result = Some(self.ident()?);
        }
        self.skip(); // BIND(C)
        let kind = match word {
            "function" => UnitKind::Function,
            _ => UnitKind::Subroutine,
        };
        Ok(Flat::Unit(Header {
            kind,
            name,
            dummies,
            result,
            prefix,
        }))
    }

    fn specification(&mut self, word: &str) -> Parsed<Option<Flat>> {
        if is_type_word(word) || matches!(word, "type" | "class" | "procedure") {
            return self.typed(word).map(Some);
        }
        let start = self.position();
        self.advance();
        let spec = match word {
            "implicit" => self.implicit()?,
            "parameter" => self.parameter()?,
            "common" => self.common()?,
            "equivalence" => self.equivalence()?,
            "data" => self.data()?,
            "use" => self.use_statement()?,
            "dimension" | "allocatable" | "pointer" | "target" | "external" | "intrinsic"
            | "optional" | "value" | "contiguous" => {
                self.eat("::");
                Spec::Attribute(plain_attribute(word), self.entities()?)
            }
            "intent" => {
                let intent = self.intent()?;
                self.eat("::");
                Spec::Attribute(Attribute::Intent(intent), self.entities()?)
            }
            "save" | "volatile" | "asynchronous" | "protected" | "private" | "public"
            | "sequence" | "import" | "namelist" | "format" | "bind" | "codimension"
            | "generic" | "final" | "enum" | "enumerator" => {
                self.skip();
                return Ok(Some(Flat::Nothing));
            }
            "interface" | "abstract" => return self.interface().map(Some),
            "entry" => {
                let name = self.ident()?;
                self.skip();
                return Ok(Some(Flat::Entry(name)));
            }
            _ => {
                self.back_to(start);
                return Ok(None);
            }
        };
        Ok(Some(Flat::Specification(spec)))
    }

    /// A declaration, a derived type, or a `PROCEDURE` of one.
    fn typed(&mut self, word: &str) -> Parsed<Flat> {
        if word == "type" && !self.is_mark_after(1, "(") {
            return self.derived_type();
        }
        if word == "procedure" {
            return self.bound_procedures();
        }
        self.type_declaration().map(Flat::Specification)
    }

    fn derived_type(&mut self) -> Parsed<Flat> {
        self.advance();
        let mut extends = None;
        while self.eat(",") {
            let is_extends = self.is_word("extends");
            self.advance();
            if self.eat("(") {
                let name = self.ident()?;
                extends = Some(name.key).filter(|_| is_extends);
                self.expect(")")?;
            }
        }
        self.eat("::");
        let name = self.ident()?;
        self.skip();
        Ok(Flat::DerivedType(name, extends))
    }

    fn bound_procedures(&mut self) -> Parsed<Flat> {
        self.advance();
        if self.is_mark("(") {
            self.skip_parentheses();
        }
        while self.eat(",") {
            self.advance();
            if self.is_mark("(") {
                self.skip_parentheses();
            }
        }
        self.eat("::");
        let names = self.list(|c| {
            let name = c.ident()?.key;
            let target = match c.eat("=>") {
                true => c.ident()?.key,
                false => name.clone(),
            };
            if c.is_mark("(") {
                c.skip_parentheses();
            }
            Ok((name, target))
        })?;
        self.skip();
        Ok(Flat::Procedures(names))
    }

    fn interface(&mut self) -> Parsed<Flat> {
        self.eat_word("interface");
        let name = match self.word() {
            Some(word) if !matches!(&**word, "operator" | "assignment") => Some(word.clone()),
            _ => None,
        };
        self.skip();
        Ok(Flat::Interface(name))
    }

    fn executable(&mut self, word: &str) -> Parsed<Option<Exec>> {
        let start = self.position();
        self.advance();
        let exec = match word {
            "call" => self.called()?,
            "goto" => self.goto()?,
            "go" if self.eat_word("to") => self.goto()?,
            "continue" => {
                self.end()?;
                Exec::Continue
            }
            "return" if self.is_at_end() => Exec::Return,
            "return" => {
                self.expr()?;
                self.end()?;
                Exec::AlternateReturn
            }
            "stop" | "error" => {
                self.skip();
                Exec::Stop
            }
            "cycle" => Exec::Cycle(self.construct_name()?),
            "exit" => Exec::Exit(self.construct_name()?),
            "allocate" => Exec::Allocate(self.allocated()?),
            "deallocate" => Exec::Deallocate(self.allocated()?),
            "nullify" => Exec::Deallocate(self.allocated()?),
            "assign" | "pause" | "sync" | "lock" | "unlock" | "event" | "change" | "form"
            | "fail" => {
                self.skip();
                Exec::Continue
            }
            _ => match self.transfer(word)? {
                Some(exec) => exec,
                None => {
                    self.back_to(start);
                    return Ok(None);
                }
            },
        };
        Ok(Some(exec))
    }

    fn construct_name(&mut self) -> Parsed<Option<Key>> {
        let name = self.word().cloned();
        self.skip();
        Ok(name)
    }

    fn called(&mut self) -> Parsed<Exec> {
        let callee = self.designator()?;
        self.end()?;
        Ok(match callee.kind {
            ExprKind::Apply(base, arguments) => Exec::Call(*base, arguments),
            kind => Exec::Call(
                Expr {
                    at: callee.at,
                    kind,
                },
                Vec::new(),
            ),
        })
    }

    fn goto(&mut self) -> Parsed<Exec> {
        if self.eat("(") {
            let labels = self.list(Self::label)?;
            self.expect(")")?;
            self.eat(",");
            let value = self.expr()?;
            return Ok(Exec::ComputedGoto(labels, value));
        }
        if self.word().is_some() {
            self.skip();
            return Ok(Exec::AssignedGoto);
        }
        let label = self.label()?;
        self.end()?;
        Ok(Exec::Goto(label))
    }

    /// `(a(n), b, stat = ierr)`: what is allocated, without options.
    fn allocated(&mut self) -> Parsed<Vec<Expr>> {
        self.expect("(")?;
        let before = self.position();
        if self.type_spec().is_err() || !self.eat("::") {
            self.back_to(before);
        }
        let list = self.list(|c| {
            let is_option = c.word().is_some() && c.is_mark_after(1, "=");
            if is_option {
                c.advance();
                c.advance();
                c.expr()?;
                return Ok(None);
            }
            c.designator().map(Some)
        })?;
        self.expect(")")?;
        self.end()?;
        Ok(list.into_iter().flatten().collect())
    }

    /// Input and output.
    fn transfer(&mut self, word: &str) -> Parsed<Option<Exec>> {
        let direction = match word {
            "read" => Direction::In,
            "write" | "print" => Direction::Out,
            "open" | "close" | "inquire" | "rewind" | "backspace" | "endfile" | "flush"
            | "wait" => {
                return self.file_control().map(Some);
            }
            _ => return Ok(None),
        };
        let mut list = Vec::new();
        let has_control = word != "print" && self.is_mark("(") && self.controls_transfer();
        if has_control {
            self.control_list(&mut list)?;
        } else {
            self.format()?;
            if !self.eat(",") {
                self.end()?;
                return Ok(Some(Exec::Transfer(list)));
            }
        }
        self.eat(",");
        if !self.is_at_end() {
            let items = self.list(Self::expr)?;
            list.extend(items.into_iter().map(|item| (direction, item)));
        }
        self.end()?;
        Ok(Some(Exec::Transfer(list)))
    }

    /// Whether the parentheses behind `READ` are its control list: `READ (A), B` reads with a format.
    fn controls_transfer(&mut self) -> bool {
        let before = self.position();
        self.skip_parentheses();
        let is_control = !self.is_mark(",");
        self.back_to(before);
        is_control
    }

    fn format(&mut self) -> Parsed<()> {
        if self.eat("*") {
            return Ok(());
        }
        self.expr().map(|_| ())
    }

    /// `(UNIT = 5, FMT = *, IOSTAT = IERR, END = 10)`
    fn control_list(&mut self, list: &mut Vec<(Direction, Expr)>) -> Parsed<()> {
        for argument in self.arguments()? {
            self.control(argument, list);
        }
        Ok(())
    }

    fn control(&mut self, argument: Argument, list: &mut Vec<(Direction, Expr)>) {
        let ArgumentValue::Expr(expr) = argument.value else {
            return;
        };
        let stores = matches!(
            argument.keyword.as_deref(),
            Some(
                "iostat"
                    | "size"
                    | "exist"
                    | "opened"
                    | "number"
                    | "nextrec"
                    | "recl"
                    | "pos"
                    | "named"
                    | "id"
                    | "pending"
            )
        );
        if stores {
            list.push((Direction::In, expr));
        } else if !matches!(expr.kind, ExprKind::Text(_) | ExprKind::Integer(..)) {
            list.push((Direction::Out, expr));
        }
    }

    fn file_control(&mut self) -> Parsed<Exec> {
        let mut list = Vec::new();
        if self.is_mark("(") {
            self.control_list(&mut list)?;
        }
        self.skip();
        Ok(Exec::Transfer(list))
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

fn is_procedure_word(word: &str) -> bool {
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
