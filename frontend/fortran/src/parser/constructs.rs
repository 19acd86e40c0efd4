//! Assembles constructs from single statements, with their blocks.

use super::builder::{MAX_DEPTH, UnitBuilder};
use super::cursor::ParseFailure;
use super::flat_statement::FlatStatement;
use crate::syntax::{
    CaseBlock, DoConstruct, Expr, ForallConstruct, NameKey, Statement, StatementKind as Exec,
};
use premiss_ast::syntax::TextRange;
use premiss_tree::RejectReason;

impl UnitBuilder {
    /// Statements up to one that ends the block, which is not consumed.
    fn block(&mut self) -> Vec<Statement> {
        let mut list = Vec::new();
        while let Some(line) = self.lines.peek()
            && !line.flat.as_ref().is_ok_and(ends_block)
        {
            list.extend(self.statement());
        }
        list.shrink_to_fit();
        list
    }

    /// The next statement, with its block if it opens one.
    pub(super) fn statement(&mut self) -> Option<Statement> {
        let line = self.next()?;
        let start = line.at;
        let kind = match line.flat {
            Ok(flat) => {
                self.depth += 1;
                let kind = match self.depth < MAX_DEPTH {
                    true => self.construct(flat, start, line.name),
                    false => Exec::Error(RejectReason::Budget {
                        limit: format!("{MAX_DEPTH} blocks inside each other"),
                    }),
                };
                self.depth -= 1;
                kind
            }
            Err(ParseFailure { reason, at }) => {
                self.file.errors.push((reason.clone(), at));
                Exec::Error(reason)
            }
        };
        Some(Statement {
            label: line.label,
            at: start.to(self.last.unwrap_or(start)),
            kind,
        })
    }

    fn construct(&mut self, flat: FlatStatement, at: TextRange, name: Option<NameKey>) -> Exec {
        match flat {
            FlatStatement::Executable(exec) => exec,
            FlatStatement::Assignment(left, right) => Exec::Assign(left, right),
            FlatStatement::IfThen(condition) => self.if_block(condition),
            FlatStatement::Do(label, control) => {
                let body = match label {
                    Some(label) => self.labelled_body(label),
                    None => {
                        let body = self.block();
                        self.close();
                        body
                    }
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
            FlatStatement::Forall(counters, mask) => {
                let body = self.block();
                self.close();
                Exec::Forall(Box::new(ForallConstruct {
                    counters,
                    mask,
                    body,
                }))
            }
            FlatStatement::Block => self.block_construct(name),
            FlatStatement::Associate(list) => {
                let body = self.block();
                self.close();
                Exec::Associate(name, list, body)
            }
            FlatStatement::Nothing => Exec::Continue,
            FlatStatement::Entry(_) => Exec::Entry,
            _ => {
                self.error(at);
                Exec::Error(RejectReason::Syntax)
            }
        }
    }

    fn select_case(&mut self, value: Expr) -> Exec {
        let mut cases = Vec::new();
        while let Some(FlatStatement::Case(_)) = self.peek() {
            if let Some(line) = self.next()
                && let Ok(FlatStatement::Case(ranges)) = line.flat
            {
                let body = self.block();
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
            arms.push(self.block());
        }
        self.close();
        Exec::SelectType(arms)
    }

    fn block_construct(&mut self, name: Option<NameKey>) -> Exec {
        while let Some(FlatStatement::Specification(_)) = self.peek() {
            let spec = self.specification();
            self.inner_specifications.extend(spec);
        }
        let body = self.block();
        self.close();
        Exec::Block(name, body)
    }

    fn if_block(&mut self, condition: Expr) -> Exec {
        let mut arms = vec![(Some(condition), self.block())];
        while let Some(FlatStatement::ElseIf(_) | FlatStatement::Else) = self.peek() {
            let condition = match self.next().map(|line| line.flat) {
                Some(Ok(FlatStatement::ElseIf(condition))) => Some(condition),
                _ => None,
            };
            let body = self.block();
            arms.push((condition, body));
        }
        self.close();
        Exec::If(arms)
    }

    fn where_block(&mut self, mask: Expr) -> Exec {
        let mut arms = vec![(Some(mask), self.block())];
        while let Some(FlatStatement::ElseWhere(_)) = self.peek() {
            let mask = match self.next().map(|line| line.flat) {
                Some(Ok(FlatStatement::ElseWhere(mask))) => mask,
                _ => None,
            };
            let body = self.block();
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
