//! Assembles constructs from single statements, with their blocks.

use super::builder::{MAX_DEPTH, UnitBuilder};
use super::cursor::ParseFailure;
use super::declared_names::declared_names;
use super::flat_statement::FlatStatement;
use crate::syntax::visit::blocks;
use crate::syntax::{
    BlockConstruct, CaseBlock, DoConstruct, Expr, ExprKind, ForallConstruct, LoopControl, NameKey,
    Statement, StatementKind as Exec, UnparsedStatement,
};
use premiss_ast::syntax::TextRange;
use premiss_tree::RejectReason;

impl UnitBuilder {
    /// Statements up to one that ends the block, which is not consumed. The block ends at `END ended_by`.
    fn block(&mut self, ended_by: &str) -> Vec<Statement> {
        let mut list = Vec::new();
        while let Some(line) = self.lines.peek() {
            match &line.flat {
                Ok(FlatStatement::End(Some(what)))
                    if is_stray(what, ended_by) && list.iter().any(has_unparsed) =>
                {
                    self.stray_end(&mut list);
                }
                Ok(flat) if ends_block(flat) => break,
                _ => list.extend(self.statement()),
            }
        }
        list.shrink_to_fit();
        list
    }

    /// The statements of a block, with its end.
    fn closed_block(&mut self, ended_by: &str) -> Vec<Statement> {
        let body = self.block(ended_by);
        self.close();
        body
    }

    /// Consumes the end of a construct whose first statement was not recognized. What follows the last statement that
    /// could not be parsed is then executed under an unknown condition, or by an unknown loop.
    pub(super) fn stray_end(&mut self, list: &mut Vec<Statement>) {
        let Some(line) = self.next() else { return };
        self.error(line.at);
        let first = list.iter().rposition(has_unparsed).unwrap_or(0);
        let body = list.split_off(first);
        let start = body.first().map_or(line.at, |one| one.at);
        let condition = Expr {
            at: line.at,
            kind: ExprKind::Unparsed(RejectReason::Syntax, Vec::new()),
        };
        let kind = match line.flat {
            Ok(FlatStatement::End(Some(what))) if &*what == "do" => {
                Exec::Do(Box::new(DoConstruct {
                    name: None,
                    header: line.at,
                    control: LoopControl::While(condition),
                    body,
                }))
            }
            _ => Exec::If(vec![(Some(condition), body)]),
        };
        list.push(Statement {
            label: None,
            at: start.to(line.at),
            kind,
        });
    }

    /// The next statement, with its block if it opens one.
    pub(super) fn statement(&mut self) -> Option<Statement> {
        let line = self.next()?;
        let start = line.at;
        let kind = match line.flat {
            Ok(flat) => {
                self.depth += 1;
                let kind = match self.depth < MAX_DEPTH {
                    true => self.construct(flat, start, (line.name, line.names)),
                    false => error(RejectReason::Budget {
                        limit: format!("{MAX_DEPTH} blocks inside each other"),
                    }),
                };
                self.depth -= 1;
                kind
            }
            Err(ParseFailure { reason, at }) => {
                self.file.errors.push((reason.clone(), at));
                Exec::Error(Box::new(UnparsedStatement {
                    reason,
                    names: line.names,
                    body: Vec::new(),
                }))
            }
        };
        Some(Statement {
            label: line.label,
            at: start.to(self.last.unwrap_or(start)),
            kind,
        })
    }

    fn construct(
        &mut self,
        flat: FlatStatement,
        at: TextRange,
        (name, words): (Option<NameKey>, Vec<NameKey>),
    ) -> Exec {
        match flat {
            FlatStatement::Executable(exec) => exec,
            FlatStatement::Assignment(left, right) => Exec::Assign(left, right),
            FlatStatement::IfThen(condition) => self.if_block(condition),
            FlatStatement::Do(label, control) => {
                let body = match label {
                    Some(label) => self.labelled_body(label),
                    None => self.closed_block("do"),
                };
                Exec::Do(Box::new(DoConstruct {
                    name,
                    header: at,
                    control: *control,
                    body,
                }))
            }
            FlatStatement::Select(value) => self.select_case(value),
            FlatStatement::SelectType => self.select_type(),
            FlatStatement::Where(mask) => self.where_block(mask),
            FlatStatement::Forall(counters, mask) => Exec::Forall(Box::new(ForallConstruct {
                counters,
                mask,
                body: self.closed_block("forall"),
            })),
            FlatStatement::Block => self.block_construct(name),
            FlatStatement::Associate(list) => {
                Exec::Associate(name, list, self.closed_block("associate"))
            }
            FlatStatement::UnparsedBlock(block) => Exec::Error(Box::new(UnparsedStatement {
                reason: block.reason,
                names: words,
                body: self.closed_block(block.ended_by),
            })),
            FlatStatement::Nothing => Exec::Continue,
            FlatStatement::Entry(_) => Exec::Entry,
            _ => {
                self.error(at);
                error(RejectReason::Syntax)
            }
        }
    }

    fn select_case(&mut self, value: Expr) -> Exec {
        let mut cases = Vec::new();
        while let Some(FlatStatement::Case(_)) = self.peek() {
            if let Some(line) = self.next()
                && let Ok(FlatStatement::Case(ranges)) = line.flat
            {
                let body = self.block("select");
                cases.push(CaseBlock { ranges, body });
            }
        }
        self.close();
        Exec::Select(value, cases)
    }

    fn select_type(&mut self) -> Exec {
        let mut arms = Vec::new();
        while matches!(
            self.peek(),
            Some(FlatStatement::TypeCase | FlatStatement::Case(_))
        ) {
            self.next();
            arms.push(self.block("select"));
        }
        self.close();
        Exec::SelectType(arms)
    }

    fn block_construct(&mut self, name: Option<NameKey>) -> Exec {
        let first = self.inner_specifications.len();
        while let Some(FlatStatement::Specification(_)) = self.peek() {
            let spec = self.specification();
            self.inner_specifications.extend(spec);
        }
        let declared = self.inner_specifications[first..].iter();
        let declared = declared
            .flat_map(|spec| declared_names(&spec.kind))
            .collect();
        let body = self.closed_block("block");
        Exec::Block(BlockConstruct {
            name,
            declared,
            body,
        })
    }

    fn if_block(&mut self, condition: Expr) -> Exec {
        let mut arms = vec![(Some(condition), self.block("if"))];
        while let Some(FlatStatement::ElseIf(_) | FlatStatement::Else) = self.peek() {
            let condition = match self.next().map(|line| line.flat) {
                Some(Ok(FlatStatement::ElseIf(condition))) => Some(condition),
                _ => None,
            };
            let body = self.block("if");
            arms.push((condition, body));
        }
        self.close();
        Exec::If(arms)
    }

    fn where_block(&mut self, mask: Expr) -> Exec {
        let mut arms = vec![(Some(mask), self.block("where"))];
        while let Some(FlatStatement::ElseWhere(_)) = self.peek() {
            let mask = match self.next().map(|line| line.flat) {
                Some(Ok(FlatStatement::ElseWhere(mask))) => mask,
                _ => None,
            };
            let body = self.block("where");
            arms.push((mask, body));
        }
        self.close();
        Exec::Where(arms)
    }

    /// Consumes the `END` of a block; one that ends the program unit is not consumed, and is an error in the block.
    fn close(&mut self) {
        let is_own = match self.peek() {
            Some(FlatStatement::End(Some(what))) => !matches!(
                &**what,
                "program" | "module" | "function" | "subroutine" | "submodule" | "procedure"
            ),
            _ => false,
        };
        if is_own {
            self.next();
            return;
        }
        let at = self.here();
        self.error(at);
    }

    /// The body of a loop that ends at a label, which several loops may share.
    fn labelled_body(&mut self, label: u32) -> Vec<Statement> {
        let mut list = Vec::new();
        while let Some(line) = self.lines.peek() {
            let is_last = line.label == Some(label);
            if let Ok(flat) = &line.flat
                && ends_block(flat)
            {
                if !is_last || !matches!(flat, FlatStatement::End(_)) {
                    break;
                }
                let at = line.at;
                self.next();
                list.push(Statement {
                    label: Some(label),
                    at,
                    kind: Exec::Continue,
                });
                self.closed_label = Some(label);
                return list;
            }
            self.closed_label = None;
            list.extend(self.statement());
            if is_last {
                self.closed_label = Some(label);
            }
            if self.closed_label == Some(label) {
                return list;
            }
        }
        let at = self.here();
        self.error(at);
        list
    }
}

/// Whether a statement is not part of the preceding block.
fn ends_block(flat: &FlatStatement) -> bool {
    matches!(
        flat,
        FlatStatement::End(_)
            | FlatStatement::Contains
            | FlatStatement::Unit(_)
            | FlatStatement::ElseIf(_)
            | FlatStatement::Else
            | FlatStatement::ElseWhere(_)
            | FlatStatement::Case(_)
            | FlatStatement::TypeCase
    )
}

/// Whether a word after `END` ends a construct rather than a program unit.
pub(super) fn ends_construct(what: &str) -> bool {
    matches!(
        what,
        "do" | "if" | "select" | "where" | "forall" | "block" | "associate" | "critical" | "team"
    )
}

/// Whether the end of a construct is not that of the block around it.
fn is_stray(what: &str, ended_by: &str) -> bool {
    let is_critical = ended_by == "block" && matches!(what, "critical" | "team");
    ends_construct(what) && what != ended_by && !is_critical
}

/// Whether a statement, or one in its blocks, could not be parsed.
fn has_unparsed(statement: &Statement) -> bool {
    matches!(statement.kind, Exec::Error(_))
        || blocks(&statement.kind)
            .into_iter()
            .flatten()
            .any(has_unparsed)
}

/// A statement that could not be parsed, of which no words are recorded.
fn error(reason: RejectReason) -> Exec {
    Exec::Error(Box::new(UnparsedStatement {
        reason,
        names: Vec::new(),
        body: Vec::new(),
    }))
}
