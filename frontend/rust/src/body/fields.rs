//! Names, fields, and structs.

use super::patterns::member_name;
use super::{Body, build};
use crate::types::{Argument, Ty};
use crate::value::{Closure, Code, Value};
use premiss_ast::syntax::{At, ExpressionKind};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

impl<'a> Body<'a, '_> {
    /// What a path stands for.
    pub(super) fn path(&mut self, path: &'a syn::ExprPath, at: At) -> Value<'a> {
        let parts: Vec<String> = path
            .path
            .segments
            .iter()
            .map(|s| s.ident.to_string())
            .collect();
        if let [name] = parts.as_slice()
            && let Some(value) = self.named(name, at)
        {
            return value;
        }
        if let Some(value) = self.associated(&parts, at) {
            return value;
        }
        if self.ctx.index.function_of(self.unit, &parts).is_some() {
            return Value::Closure(Rc::new(Closure {
                syntax: Code::Path(path),
                sees: self.sees.clone(),
                copy: self.copy,
                is_used: Cell::new(false),
            }));
        }
        if names_function(&parts) {
            return Value::Closure(Rc::new(Closure {
                syntax: Code::Path(path),
                sees: self.sees.clone(),
                copy: self.copy,
                is_used: Cell::new(false),
            }));
        }
        match parts.last().map(String::as_str) {
            Some("None") => Value::Maybe(
                build::integer(at, 0),
                Box::new(Value::Unknown(Ty::unknown())),
            ),
            Some(name) => self.library_constant(&parts, name, at),
            None => Value::Unknown(Ty::unknown()),
        }
    }

    /// What a single name stands for.
    pub(super) fn named(&mut self, name: &str, at: At) -> Option<Value<'a>> {
        if let Some(value) = self.sees.get(name) {
            return Some(replaced(value, at));
        }
        if let Some(value) = self.scope.values.get(name) {
            let mut value = (**value).clone();
            value.at = at;
            return Some(Value::size(value));
        }
        let constant = self.ctx.index.constant_of(self.unit, name)?;
        Some(self.constant(constant, at))
    }

    /// A constant or static of the program.
    fn constant(&mut self, constant: usize, at: At) -> Value<'a> {
        let item = &self.ctx.index.constants[constant];
        let name = item.name.clone();
        let kind = self.ctx.constant_type(constant);
        let place = build::name(at, &name.into());
        self.value_at(place, &kind)
    }

    /// A constant of a type: `Self::N`, `f64::MAX`.
    fn associated(&mut self, parts: &[String], at: At) -> Option<Value<'a>> {
        let [.., owner, last] = parts else {
            return None;
        };
        let own = match self.scope.self_type.as_ref() {
            Some(Ty::Record(record, _)) if owner == "Self" => self.ctx.index.record_name(*record),
            _ => owner.clone(),
        };
        let full = format!("{own}::{last}");
        if let Some(constant) = self.ctx.index.constant_of(self.unit, &full) {
            return Some(self.constant(constant, at));
        }
        let is_type = owner.starts_with(char::is_uppercase) || Ty::primitive(owner).is_some();
        if !is_type && let Some(constant) = self.ctx.index.constant_of(self.unit, last) {
            return Some(self.constant(constant, at));
        }
        None
    }

    /// A constant of the standard library.
    fn library_constant(&mut self, parts: &[String], name: &str, at: At) -> Value<'a> {
        let owner = parts.len().checked_sub(2).and_then(|idx| parts.get(idx));
        let kind = owner.and_then(|owner| Ty::primitive(owner));
        match (kind, name) {
            (Some(Ty::Int(kind)), "MAX" | "MIN" | "BITS") => {
                let value = match (name, kind.signed) {
                    ("BITS", _) => i64::from(kind.bits),
                    ("MIN", false) => 0,
                    ("MAX", false) if kind.bits < 64 => (1 << kind.bits) - 1,
                    ("MAX", _) => i64::MAX >> (64 - u32::from(kind.bits)),
                    _ => i64::MIN >> (64 - u32::from(kind.bits)),
                };
                Value::Plain(build::integer(at, value), Ty::Int(kind))
            }
            (Some(kind), _) => self.data_of(&kind, at),
            (None, _) if owner.is_some_and(|owner| owner == "consts") => Value::Plain(
                build::data(at, premiss_ast::syntax::TypeName::Floating(8)),
                Ty::Float(0),
            ),
            _ => Value::Unknown(Ty::unknown()),
        }
    }

    pub(super) fn field(&mut self, field: &'a syn::ExprField, at: At) -> Value<'a> {
        let base = self.expression(&field.base, None);
        self.field_of(base, &member_name(&field.member), at)
    }

    /// A field of a value.
    pub(super) fn field_of(&mut self, base: Value<'a>, name: &str, at: At) -> Value<'a> {
        match base {
            Value::Tuple(parts) => match name.parse::<usize>().ok().and_then(|i| parts.get(i)) {
                Some(part) => part.clone(),
                None => Value::Unknown(Ty::unknown()),
            },
            Value::Alias(value) => self.field_of(*value, name, at),
            Value::Range(range) => match name {
                "start" => range
                    .start
                    .map_or(Value::Unknown(Ty::unknown()), Value::size),
                _ => range.end.map_or(Value::Unknown(Ty::unknown()), Value::size),
            },
            Value::Plain(place, kind) => match self.solved(&kind) {
                Ty::Pointer(_) | Ty::Box(_) => {
                    let base_at = place.at;
                    let by_reference = self.dereferenced(Value::Plain(place, kind), base_at);
                    self.field_of(by_reference, name, at)
                }
                Ty::Record(record, arguments) => {
                    self.member_of(place, record, &arguments, name, at)
                }
                kind => Value::Unknown(kind).part(),
            },
            Value::Unknown(kind) => match self.solved(&kind) {
                Ty::Tuple(kinds) => match name.parse::<usize>().ok().and_then(|i| kinds.get(i)) {
                    Some(kind) => self.data_of(&kind.clone(), at),
                    None => Value::Unknown(Ty::unknown()),
                },
                Ty::Record(record, arguments) => {
                    let fields = self.ctx.fields(record, &arguments);
                    let field = fields.into_iter().find(|(field, _)| field == name);
                    match field {
                        Some((_, kind)) => self.data_of(&kind, at),
                        None => Value::Unknown(Ty::unknown()),
                    }
                }
                _ => Value::Unknown(Ty::unknown()),
            },
            _ => Value::Unknown(Ty::unknown()),
        }
    }

    fn member_of(
        &mut self,
        place: premiss_ast::syntax::Expression,
        record: usize,
        arguments: &Arc<[Argument]>,
        name: &str,
        at: At,
    ) -> Value<'a> {
        let fields = self.ctx.fields(record, arguments);
        let Some((_, kind)) = fields.into_iter().find(|(field, _)| field == name) else {
            return Value::Unknown(Ty::unknown());
        };
        // The layout is made where it is needed first.
        self.memory(&Ty::Record(record, arguments.clone()));
        let member = build::member(at, place, name);
        self.value_at(member, &kind)
    }
}

impl Value<'_> {
    /// A part of something that is not looked into.
    fn part(self) -> Self {
        Value::Unknown(Ty::unknown())
    }
}

/// Whether a path looks like that of a function: `f64::max`, `Some`.
fn names_function(parts: &[String]) -> bool {
    let is_lower = |name: &str| name.starts_with(|c: char| c.is_lowercase() || c == '_');
    match parts {
        [single] => matches!(single.as_str(), "Some" | "Ok" | "Err"),
        [.., last] => is_lower(last),
        [] => false,
    }
}

/// What a name stands for, as it is mentioned at some place.
fn replaced<'a>(value: &Value<'a>, at: At) -> Value<'a> {
    let mut parts = Vec::new();
    value.parts(&mut parts);
    let mut moved = parts.into_iter().map(|mut part| {
        if let ExpressionKind::Name(_) = part.kind {
            part.at = at;
        }
        part
    });
    value.with_parts(&mut moved)
}
