//! From statements by themselves to blocks and program units.

use super::Line;
use super::cursor::Failure;
use super::statements::{Flat, Header};
use crate::syntax::{
    Attribute, Case, DerivedType, Do, Entity, Expr, ExprKind, File, Forall, Ident, Key,
    ProgramUnit, Specification, SpecificationKind as Spec, Statement, StatementKind as Exec,
    UnitKind,
};
use premiss_imperative::syntax::At;
use premiss_tree::RejectReason;
use std::collections::BTreeSet;

/// How deep blocks may nest.
const MAX_DEPTH: u32 = 400;

/// Puts a file together.
pub(super) fn file(lines: Vec<Line>) -> File {
    let mut builder = Builder {
        lines: lines.into_iter().peekable(),
        closed: None,
        depth: 0,
        file: File::default(),
        last: None,
        inner_specifications: Vec::new(),
    };
    while builder.lines.peek().is_some() {
        let unit = builder.unit(false);
        builder.file.units.extend(unit);
    }
    builder.file
}

struct Builder {
    lines: std::iter::Peekable<std::vec::IntoIter<Line>>,
    /// The label at which a loop has just ended.
    closed: Option<u32>,
    depth: u32,
    file: File,
    /// The last line that was taken.
    last: Option<At>,
    /// Declarations in blocks: they count for the whole program unit.
    inner_specifications: Vec<Specification>,
}

/// The names that a program unit has declared so far.
#[derive(Default)]
struct Declared {
    arrays: BTreeSet<Key>,
    scalars: BTreeSet<Key>,
    has_use: bool,
}

impl Declared {
    fn note(&mut self, spec: &Spec) {
        match spec {
            Spec::Type {
                attributes,
                entities,
                ..
            } => {
                let is_array = |entity: &Entity| {
                    entity.shape.is_some()
                        || attributes
                            .iter()
                            .any(|one| matches!(one, Attribute::Dimension(_)))
                };
                for entity in entities {
                    let set = match is_array(entity) {
                        true => &mut self.arrays,
                        false => &mut self.scalars,
                    };
                    set.insert(entity.name.key.clone());
                }
            }
            Spec::Attribute(_, entities) => self.note_shapes(entities),
            Spec::Common(blocks) => blocks.iter().for_each(|(_, list)| self.note_shapes(list)),
            Spec::Use(_) => self.has_use = true,
            _ => {}
        }
    }

    fn note_shapes(&mut self, entities: &[Entity]) {
        let shaped = entities.iter().filter(|entity| entity.shape.is_some());
        self.arrays
            .extend(shaped.map(|entity| entity.name.key.clone()));
    }

    /// Whether `name(…) = e` among declarations defines a function.
    fn is_statement_function(&self, name: &Key, is_contained: bool) -> bool {
        let may_be_foreign = self.has_use || is_contained;
        !self.arrays.contains(name) && (self.scalars.contains(name) || !may_be_foreign)
    }
}

impl Builder {
    fn next(&mut self) -> Option<Line> {
        let line = self.lines.next()?;
        self.last = Some(line.at);
        Some(line)
    }

    fn peek(&mut self) -> Option<&Flat> {
        self.lines.peek().and_then(|line| line.flat.as_ref().ok())
    }

    fn here(&mut self) -> At {
        let next = self.lines.peek().map(|line| line.at);
        next.or(self.last)
            .unwrap_or(At::start_of(premiss_imperative::syntax::UnitId(0)))
    }

    fn error(&mut self, at: At) {
        self.file.errors.push((RejectReason::Syntax, at));
    }

    /// A program unit, with its `END`.
    fn unit(&mut self, is_contained: bool) -> Option<ProgramUnit> {
        let at = self.here();
        let header = match self.peek() {
            Some(Flat::Unit(_)) => match self.next()?.flat {
                Ok(Flat::Unit(header)) => *header,
                _ => return None,
            },
            _ => main_program(at),
        };
        let mut unit = ProgramUnit {
            kind: header.kind,
            name: header.name,
            at,
            dummies: header.dummies,
            result: header.result,
            prefix: header.prefix,
            specifications: Vec::new(),
            body: Vec::new(),
            contained: Vec::new(),
            entries: Vec::new(),
        };
        self.specifications(&mut unit, is_contained);
        self.unit_body(&mut unit);
        unit.specifications.append(&mut self.inner_specifications);
        if matches!(self.peek(), Some(Flat::Contains)) {
            self.next();
            while !matches!(self.peek(), Some(Flat::End(_))) && self.lines.peek().is_some() {
                self.contained(&mut unit);
            }
        }
        if matches!(self.peek(), Some(Flat::End(_))) {
            self.next();
        } else if self.lines.peek().is_none() {
            let last = self.last.unwrap_or(at);
            self.error(last);
        }
        Some(unit)
    }

    fn contained(&mut self, unit: &mut ProgramUnit) {
        match self.lines.peek().map(|line| &line.flat) {
            Some(Ok(Flat::Unit(_))) => {
                let inner = self.depth;
                self.depth += 1;
                if self.depth < MAX_DEPTH {
                    unit.contained.extend(self.unit(true));
                } else {
                    self.next();
                }
                self.depth = inner;
            }
            _ => {
                if let Some(line) = self.next()
                    && !matches!(line.flat, Ok(Flat::Nothing | Flat::Procedures(_)))
                {
                    self.error(line.at);
                }
            }
        }
    }

    fn specifications(&mut self, unit: &mut ProgramUnit, is_contained: bool) {
        let mut declared = Declared::default();
        loop {
            let Some(line) = self.lines.peek() else {
                return;
            };
            let is_specification = match &line.flat {
                Ok(
                    Flat::Specification(_)
                    | Flat::DerivedType(..)
                    | Flat::Interface(_)
                    | Flat::Procedures(_),
                ) => true,
                Ok(Flat::Nothing) => line.label.is_none(),
                Ok(Flat::Assignment(left, _)) => defined_function(left)
                    .is_some_and(|name| declared.is_statement_function(name, is_contained)),
                _ => false,
            };
            if !is_specification {
                return;
            }
            if let Some(spec) = self.specification() {
                declared.note(&spec.kind);
                unit.specifications.push(spec);
            }
        }
    }

    /// The specification that comes next; `None` for one that says nothing.
    fn specification(&mut self) -> Option<Specification> {
        let line = self.next()?;
        let kind = match line.flat {
            Ok(Flat::Specification(spec)) => *spec,
            Ok(Flat::DerivedType(name, extends)) => {
                Spec::DerivedType(self.derived_type(name, extends))
            }
            Ok(Flat::Interface(generic)) => self.interface(generic),
            Ok(Flat::Assignment(left, value)) => statement_function(left, value)?,
            _ => return None,
        };
        Some(Specification { at: line.at, kind })
    }

    fn derived_type(&mut self, name: Ident, extends: Option<Key>) -> DerivedType {
        let mut found = DerivedType {
            name,
            extends,
            members: Vec::new(),
            bindings: Vec::new(),
        };
        while let Some(line) = self.next() {
            match line.flat {
                Ok(Flat::Specification(kind)) => {
                    found.members.push(Specification {
                        at: line.at,
                        kind: *kind,
                    });
                }
                Ok(Flat::Procedures(names)) => found.bindings.extend(names),
                Ok(Flat::Nothing | Flat::Contains) => {}
                Ok(Flat::End(_)) => break,
                _ => self.error(line.at),
            }
        }
        found
    }

    fn interface(&mut self, generic: Option<Key>) -> Spec {
        let mut bodies = Vec::new();
        let mut procedures = Vec::new();
        loop {
            match self.peek() {
                Some(Flat::Unit(_)) => bodies.extend(self.unit(false)),
                Some(Flat::End(_)) => {
                    self.next();
                    break;
                }
                _ => match self.next() {
                    Some(line) => match line.flat {
                        Ok(Flat::Procedures(names)) => {
                            procedures.extend(names.into_iter().map(|(_, target)| target));
                        }
                        Ok(Flat::Nothing) => {}
                        _ => self.error(line.at),
                    },
                    None => break,
                },
            }
        }
        Spec::Interface {
            generic,
            bodies,
            procedures,
        }
    }

    /// The executable part, with what stands in it of specifications.
    fn unit_body(&mut self, unit: &mut ProgramUnit) {
        loop {
            if self.lines.peek().is_none() {
                return;
            }
            match self.peek() {
                Some(Flat::End(_) | Flat::Contains | Flat::Unit(_)) => return,
                Some(Flat::Specification(_) | Flat::DerivedType(..) | Flat::Interface(_)) => {
                    unit.specifications.extend(self.specification());
                }
                Some(Flat::Entry(_)) => {
                    if let Some(line) = self.next()
                        && let Ok(Flat::Entry(name)) = line.flat
                    {
                        unit.body.push(Statement {
                            label: None,
                            at: line.at,
                            kind: Exec::Entry,
                        });
                        unit.entries.push(name);
                    }
                }
                _ => unit.body.extend(self.statement()),
            }
        }
    }

    /// Statements up to one that ends them, which is left where it is.
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

    /// The statement that comes next, with the block that it opens.
    fn statement(&mut self) -> Option<Statement> {
        let line = self.next()?;
        let start = line.at;
        let kind = match line.flat {
            Ok(flat) => {
                self.depth += 1;
                let kind = match self.depth < MAX_DEPTH {
                    true => self.opened(flat, start, line.name),
                    false => Exec::Error(RejectReason::Budget {
                        limit: format!("{MAX_DEPTH} blocks inside each other"),
                    }),
                };
                self.depth -= 1;
                kind
            }
            Err(Failure { reason, at }) => {
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

    fn opened(&mut self, flat: Flat, at: At, name: Option<Key>) -> Exec {
        match flat {
            Flat::Executable(exec) => exec,
            Flat::Assignment(left, right) => Exec::Assign(left, right),
            Flat::IfThen(condition) => self.if_block(condition),
            Flat::Do(label, control) => {
                let body = match label {
                    Some(label) => self.labelled_body(label),
                    None => {
                        let body = self.block();
                        self.close();
                        body
                    }
                };
                Exec::Do(Box::new(Do {
                    name,
                    header: at,
                    control: *control,
                    body,
                }))
            }
            Flat::Select(value) => {
                let mut cases = Vec::new();
                while let Some(Flat::Case(_)) = self.peek() {
                    if let Some(line) = self.next()
                        && let Ok(Flat::Case(ranges)) = line.flat
                    {
                        let body = self.block();
                        cases.push(Case { ranges, body });
                    }
                }
                self.close();
                Exec::Select(value, cases)
            }
            Flat::SelectType => {
                let mut arms = Vec::new();
                while matches!(self.peek(), Some(Flat::TypeCase | Flat::Case(_))) {
                    self.next();
                    arms.push(self.block());
                }
                self.close();
                Exec::SelectType(arms)
            }
            Flat::Where(mask) => self.where_block(mask),
            Flat::Forall(counters, mask) => {
                let body = self.block();
                self.close();
                Exec::Forall(Box::new(Forall {
                    counters,
                    mask,
                    body,
                }))
            }
            Flat::Block => {
                while let Some(Flat::Specification(_)) = self.peek() {
                    let spec = self.specification();
                    self.inner_specifications.extend(spec);
                }
                let body = self.block();
                self.close();
                Exec::Block(name, body)
            }
            Flat::Associate(list) => {
                let body = self.block();
                self.close();
                Exec::Associate(name, list, body)
            }
            Flat::Nothing => Exec::Continue,
            Flat::Entry(_) => Exec::Entry,
            _ => {
                self.error(at);
                Exec::Error(RejectReason::Syntax)
            }
        }
    }

    fn if_block(&mut self, condition: Expr) -> Exec {
        let mut arms = vec![(Some(condition), self.block())];
        while let Some(Flat::ElseIf(_) | Flat::Else) = self.peek() {
            let condition = match self.next().map(|line| line.flat) {
                Some(Ok(Flat::ElseIf(condition))) => Some(condition),
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
        while let Some(Flat::ElseWhere(_)) = self.peek() {
            let mask = match self.next().map(|line| line.flat) {
                Some(Ok(Flat::ElseWhere(mask))) => mask,
                _ => None,
            };
            let body = self.block();
            arms.push((mask, body));
        }
        self.close();
        Exec::Where(arms)
    }

    /// Takes the `END` of a block; one that ends the program unit is left, and the block is an error.
    fn close(&mut self) {
        let is_own = match self.peek() {
            Some(Flat::End(Some(what))) => !matches!(
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
                if is_last && matches!(flat, Flat::End(_)) {
                    let at = line.at;
                    self.next();
                    list.push(Statement {
                        label: Some(label),
                        at,
                        kind: Exec::Continue,
                    });
                    self.closed = Some(label);
                    return list;
                }
                break;
            }
            self.closed = None;
            list.extend(self.statement());
            if is_last {
                self.closed = Some(label);
            }
            if self.closed == Some(label) {
                return list;
            }
        }
        let at = self.here();
        self.error(at);
        list
    }
}

fn main_program(at: At) -> Header {
    Header {
        kind: UnitKind::Program,
        name: Ident {
            key: "main".into(),
            at: At {
                end: at.start,
                ..at
            },
        },
        dummies: Vec::new(),
        result: None,
        prefix: None,
    }
}

/// Whether a statement is no part of the block before it.
fn ends_block(flat: &Flat) -> bool {
    matches!(
        flat,
        Flat::End(_)
            | Flat::Contains
            | Flat::Unit(_)
            | Flat::ElseIf(_)
            | Flat::Else
            | Flat::ElseWhere(_)
            | Flat::Case(_)
            | Flat::TypeCase
    )
}

/// The name of `f(x, y)` where all arguments are names.
fn defined_function(left: &Expr) -> Option<&Key> {
    let ExprKind::Apply(base, arguments) = &left.kind else {
        return None;
    };
    let are_names = arguments
        .iter()
        .all(|one| one.keyword.is_none() && one.expr().is_some_and(|x| x.as_name().is_some()));
    base.as_name().filter(|_| are_names)
}

fn statement_function(left: Expr, value: Expr) -> Option<Spec> {
    let ExprKind::Apply(base, arguments) = left.kind else {
        return None;
    };
    let ident = |expr: &Expr| {
        Some(Ident {
            key: expr.as_name()?.clone(),
            at: expr.at,
        })
    };
    let dummies = arguments.iter().filter_map(|one| ident(one.expr()?));
    Some(Spec::StatementFunction {
        name: ident(&base)?,
        dummies: dummies.collect(),
        value,
    })
}
