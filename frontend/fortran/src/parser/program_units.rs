//! Assembles program units from single statements: headers, specification parts, contained procedures.

use super::builder::{MAX_DEPTH, UnitBuilder};
use super::constructs::ends_construct;
use super::declared_names::{DeclaredNames, defined_function, statement_function};
use super::flat_statement::{FlatStatement, ParsedStatement, UnitHeader};
use crate::syntax::{
    DerivedType, FortranFile, Ident, NameKey, ProgramUnit, Specification,
    SpecificationKind as Spec, Statement, StatementKind as Exec, UnitKind,
};
use premiss_ast::syntax::TextRange;

/// Assembles a file.
pub(super) fn file(lines: Vec<ParsedStatement>) -> FortranFile {
    let mut builder = UnitBuilder::new(lines);
    while builder.lines.peek().is_some() {
        let unit = builder.unit(false);
        builder.file.units.extend(unit);
    }
    builder.file
}

impl UnitBuilder {
    /// A program unit, with its `END`.
    fn unit(&mut self, is_contained: bool) -> Option<ProgramUnit> {
        let at = self.here();
        let header = match self.peek() {
            Some(FlatStatement::Unit(_)) => match self.next()?.flat {
                Ok(FlatStatement::Unit(header)) => *header,
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
            is_elemental: header.is_elemental,
            specifications: Vec::new(),
            body: Vec::new(),
            contained: Vec::new(),
            entries: Vec::new(),
        };
        self.specifications(&mut unit, is_contained);
        self.unit_body(&mut unit);
        unit.specifications.append(&mut self.inner_specifications);
        if matches!(self.peek(), Some(FlatStatement::Contains)) {
            self.next();
            while !matches!(self.peek(), Some(FlatStatement::End(_))) && self.lines.peek().is_some()
            {
                self.contained_procedure(&mut unit);
            }
        }
        if matches!(self.peek(), Some(FlatStatement::End(_))) {
            self.next();
        } else if self.lines.peek().is_none() {
            let last = self.last.unwrap_or(at);
            self.error(last);
        }
        Some(unit)
    }

    fn contained_procedure(&mut self, unit: &mut ProgramUnit) {
        match self.lines.peek().map(|line| &line.flat) {
            Some(Ok(FlatStatement::Unit(_))) => {
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
                    && !matches!(
                        line.flat,
                        Ok(FlatStatement::Nothing | FlatStatement::Procedures(_))
                    )
                {
                    self.error(line.at);
                }
            }
        }
    }

    fn specifications(&mut self, unit: &mut ProgramUnit, is_contained: bool) {
        let mut declared = DeclaredNames::default();
        loop {
            let Some(line) = self.lines.peek() else {
                return;
            };
            let is_specification = match &line.flat {
                Ok(
                    FlatStatement::Specification(_)
                    | FlatStatement::DerivedType(..)
                    | FlatStatement::Interface(_)
                    | FlatStatement::Generic(..)
                    | FlatStatement::Procedures(_),
                ) => true,
                Ok(FlatStatement::Nothing) => line.label.is_none(),
                Ok(FlatStatement::Assignment(left, _)) => defined_function(left)
                    .is_some_and(|name| declared.is_statement_function(name, is_contained)),
                _ => false,
            };
            if !is_specification {
                return;
            }
            if let Some(spec) = self.specification() {
                declared.record(&spec.kind);
                unit.specifications.push(spec);
            }
        }
    }

    /// The next specification; `None` for one that declares nothing.
    pub(super) fn specification(&mut self) -> Option<Specification> {
        let line = self.next()?;
        let kind = match line.flat {
            Ok(FlatStatement::Specification(spec)) => *spec,
            Ok(FlatStatement::DerivedType(name, extends)) => {
                Spec::DerivedType(self.derived_type(name, extends))
            }
            Ok(FlatStatement::Interface(generic)) => self.interface(generic),
            Ok(FlatStatement::Generic(generic, procedures)) => Spec::Interface {
                generic: Some(generic),
                bodies: Vec::new(),
                procedures,
            },
            Ok(FlatStatement::Assignment(left, value)) => statement_function(left, value)?,
            _ => return None,
        };
        Some(Specification { at: line.at, kind })
    }

    fn derived_type(&mut self, name: Ident, extends: Option<NameKey>) -> DerivedType {
        let mut found = DerivedType {
            name,
            extends,
            members: Vec::new(),
            bindings: Vec::new(),
            generics: Vec::new(),
        };
        while let Some(line) = self.next() {
            match line.flat {
                Ok(FlatStatement::Specification(kind)) => {
                    found.members.push(Specification {
                        at: line.at,
                        kind: *kind,
                    });
                }
                Ok(FlatStatement::Procedures(names)) => found.bindings.extend(names),
                Ok(FlatStatement::Generic(generic, names)) => found.generics.push((generic, names)),
                Ok(FlatStatement::Nothing | FlatStatement::Contains) => {}
                Ok(FlatStatement::End(_)) => break,
                _ => self.error(line.at),
            }
        }
        found
    }

    fn interface(&mut self, generic: Option<NameKey>) -> Spec {
        let mut bodies = Vec::new();
        let mut procedures = Vec::new();
        loop {
            match self.peek() {
                Some(FlatStatement::Unit(_)) => bodies.extend(self.unit(false)),
                Some(FlatStatement::End(_)) => {
                    self.next();
                    break;
                }
                _ => match self.next() {
                    Some(line) => match line.flat {
                        Ok(FlatStatement::Procedures(names)) => {
                            procedures.extend(names.into_iter().map(|one| one.target));
                        }
                        Ok(FlatStatement::Nothing) => {}
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

    /// An `ENTRY` statement in the executable part.
    fn entry(&mut self, unit: &mut ProgramUnit) {
        if let Some(line) = self.next()
            && let Ok(FlatStatement::Entry(name)) = line.flat
        {
            unit.body.push(Statement {
                label: None,
                at: line.at,
                kind: Exec::Entry,
            });
            unit.entries.push(name);
        }
    }

    /// The executable part, with the specifications in it.
    fn unit_body(&mut self, unit: &mut ProgramUnit) {
        loop {
            if self.lines.peek().is_none() {
                return;
            }
            match self.peek() {
                Some(FlatStatement::End(Some(what))) if ends_construct(what) => {
                    self.stray_end(&mut unit.body);
                }
                Some(FlatStatement::End(_) | FlatStatement::Contains | FlatStatement::Unit(_)) => {
                    return;
                }
                Some(
                    FlatStatement::Specification(_)
                    | FlatStatement::DerivedType(..)
                    | FlatStatement::Generic(..)
                    | FlatStatement::Interface(_),
                ) => {
                    unit.specifications.extend(self.specification());
                }
                Some(FlatStatement::Entry(_)) => self.entry(unit),
                _ => unit.body.extend(self.statement()),
            }
        }
    }
}

fn main_program(at: TextRange) -> UnitHeader {
    UnitHeader {
        kind: UnitKind::Program,
        name: Ident {
            key: "main".into(),
            at: TextRange {
                end: at.start,
                ..at
            },
        },
        dummies: Vec::new(),
        result: None,
        prefix: None,
        is_elemental: false,
    }
}
