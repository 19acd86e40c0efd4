//! Executable statements that open no block: calls, jumps, allocations, input and output.

use super::cursor::{Cursor, Parsed};
use crate::syntax::{
    Argument, ArgumentValue, Direction, Expr, ExprKind, Key, StatementKind as Exec,
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
