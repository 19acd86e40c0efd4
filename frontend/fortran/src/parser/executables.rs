//! Executable statements that open no block: calls, jumps, allocations, input and output.

use super::cursor::{Cursor, Parsed};
use crate::syntax::{
    AllocateOptions, ArgumentValue, Direction, Expr, ExprKind, Key, Like, StatementKind as Exec,
};

impl Cursor<'_> {
    pub(super) fn executable(&mut self, word: &str) -> Parsed<Option<Exec>> {
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
            "allocate" => {
                let (objects, options) = self.allocated()?;
                Exec::Allocate(objects, options)
            }
            "deallocate" | "nullify" => {
                let (objects, options) = self.allocated()?;
                Exec::Deallocate(objects, options)
            }
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

    /// `(a(n), b, stat = ierr)`: what is allocated, and the options.
    fn allocated(&mut self) -> Parsed<(Vec<Expr>, AllocateOptions)> {
        self.expect("(")?;
        let before = self.position();
        if self.type_spec().is_err() || !self.eat("::") {
            self.back_to(before);
        }
        let list = self.list(|c| match (c.word(), c.is_mark_after(1, "=")) {
            (Some(option), true) => {
                c.advance();
                c.advance();
                Ok((Some(option), c.expr()?))
            }
            _ => Ok((None, c.designator()?)),
        })?;
        self.expect(")")?;
        self.end()?;
        let mut objects = Vec::new();
        let mut options = AllocateOptions::default();
        for (option, expr) in list {
            match option.map(|key| &**key) {
                None => objects.push(expr),
                Some("source") => options.like = Some((Like::Value, expr)),
                Some("mold") => options.like = Some((Like::Shape, expr)),
                Some(_) => options.reports.push(expr),
            }
        }
        Ok((objects, options))
    }

    /// Input and output.
    fn transfer(&mut self, word: &str) -> Parsed<Option<Exec>> {
        let direction = match word {
            "read" => Direction::In,
            "write" | "print" => Direction::Out,
            "open" | "close" | "inquire" | "rewind" | "backspace" | "endfile" | "flush"
            | "wait" => {
                return self.file_control(word).map(Some);
            }
            _ => return Ok(None),
        };
        let mut list = Vec::new();
        let has_control = word != "print" && self.is_mark("(") && self.controls_transfer();
        if has_control {
            self.control_list(word, &mut list)?;
        } else {
            list.extend(self.format()?.map(|group| (of_group(direction), group)));
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

    /// A format without parentheses, where it is a name: it may be one of a `NAMELIST` group.
    fn format(&mut self) -> Parsed<Option<Expr>> {
        if self.eat("*") {
            return Ok(None);
        }
        let format = self.expr()?;
        Ok(Some(format).filter(|format| format.as_name().is_some()))
    }

    /// `(UNIT = 5, FMT = *, IOSTAT = IERR, END = 10)` of a statement that starts with a word.
    fn control_list(&mut self, word: &str, list: &mut Vec<(Direction, Expr)>) -> Parsed<()> {
        for (position, argument) in self.arguments()?.into_iter().enumerate() {
            let ArgumentValue::Expr(expr) = argument.value else {
                continue;
            };
            let direction = match argument.keyword.as_deref() {
                Some(keyword) => of_specifier(word, keyword),
                // An internal file is text; a name behind it is a format, or a group.
                None if position == 1 => of_specifier(word, "nml"),
                None => Direction::Out,
            };
            if !matches!(expr.kind, ExprKind::Text(_) | ExprKind::Integer(..)) {
                list.push((direction, expr));
            }
        }
        Ok(())
    }

    /// `OPEN`, `INQUIRE` and their like: `INQUIRE (IOLENGTH = n) list` stores to `n`, too.
    fn file_control(&mut self, word: &str) -> Parsed<Exec> {
        let mut list = Vec::new();
        if self.is_mark("(") {
            self.control_list(word, &mut list)?;
        }
        self.skip();
        Ok(Exec::Transfer(list))
    }
}

/// What a statement does with the value of a specifier, such as `IOSTAT=`.
///
/// `INQUIRE` stores to all of them but those that say which file is meant; so do others to what tells how
/// it went. Example: `OPEN (NEWUNIT = iu, RECL = n)` stores to `iu`, and `INQUIRE (iu, RECL = n)` to `n`.
fn of_specifier(word: &str, keyword: &str) -> Direction {
    match (word, keyword) {
        (_, "iostat" | "iomsg" | "newunit" | "id" | "pending") | ("read", "size") => Direction::In,
        ("inquire", "unit" | "file" | "err") => Direction::Out,
        ("inquire", "nml") => Direction::Out,
        ("inquire", _) => Direction::In,
        ("read", "nml" | "fmt") => Direction::GroupIn,
        (_, "nml" | "fmt") => Direction::GroupOut,
        _ => Direction::Out,
    }
}

/// The same for the variables of a group.
fn of_group(direction: Direction) -> Direction {
    match direction {
        Direction::In | Direction::GroupIn => Direction::GroupIn,
        Direction::Out | Direction::GroupOut => Direction::GroupOut,
    }
}
