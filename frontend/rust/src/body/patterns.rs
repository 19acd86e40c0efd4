//! Patterns: what they bind, and when they match.

use super::{Body, build};
use crate::types::Ty;
use crate::value::{Slice, Value};
use premiss_ast::syntax::{At, Binary, Expression, Unary};
use syn::{Expr, Pat};

impl<'a> Body<'a, '_> {
    /// Binds the names of a pattern to the parts of a value.
    pub(super) fn bind(&mut self, pattern: &'a Pat, value: Value<'a>) {
        match pattern {
            Pat::Ident(ident) => {
                let name = ident.ident.to_string();
                let at = self.at(&ident.ident);
                if let Some((_, inner)) = &ident.subpat {
                    self.bind(inner, value.clone());
                }
                let value = match ident.by_ref {
                    Some(_) => self.reference_to(value, at),
                    None => value,
                };
                self.bind_name(&name, value, ident.mutability.is_some(), at);
            }
            Pat::Reference(reference) => {
                let at = self.at(pattern);
                let value = self.dereferenced(value, at);
                self.bind(&reference.pat, value);
            }
            Pat::Tuple(tuple) => self.bind_parts(&tuple.elems, &value),
            Pat::TupleStruct(tuple) => {
                let value = match self.solved(&value.kind()).peeled() {
                    Ty::Record(..) => value,
                    _ => self.contained(value),
                };
                if tuple.elems.len() == 1 && !self.is_record(&value) {
                    self.bind(&tuple.elems[0], value);
                } else {
                    self.bind_parts(&tuple.elems, &value);
                }
            }
            Pat::Struct(fields) => {
                for field in &fields.fields {
                    let at = self.at(field);
                    let part = self.field_of(value.clone(), &member_name(&field.member), at);
                    self.bind(&field.pat, part);
                }
            }
            Pat::Slice(list) => self.bind_elements(list, value),
            Pat::Paren(inner) => self.bind(&inner.pat, value),
            Pat::Type(typed) => self.bind(&typed.pat, value),
            Pat::Guard(guard) => self.bind(&guard.pat, value),
            Pat::Or(or) => {
                if let Some(first) = or.cases.first() {
                    let unknown = Value::Unknown(value.kind());
                    self.bind(first, unknown);
                }
            }
            _ => {
                self.evaluate(value);
            }
        }
    }

    fn is_record(&mut self, value: &Value<'a>) -> bool {
        matches!(self.solved(&value.kind()).peeled(), Ty::Record(..))
    }

    /// What is in a `Some` or `Ok`.
    pub(super) fn contained(&mut self, value: Value<'a>) -> Value<'a> {
        match value {
            Value::Maybe(_, inner) => *inner,
            other => match self.solved(&other.kind()).peeled() {
                Ty::Maybe(inner) => Value::Unknown((**inner).clone()),
                _ => Value::Unknown(Ty::unknown()),
            },
        }
    }

    fn bind_parts(
        &mut self,
        patterns: &'a syn::punctuated::Punctuated<Pat, syn::Token![,]>,
        value: &Value<'a>,
    ) {
        let is_rest = |pattern: &&Pat| matches!(pattern, Pat::Rest(_));
        let n_patterns = patterns.iter().filter(|p| !is_rest(p)).count();
        let n_parts = match value {
            Value::Tuple(parts) => parts.len(),
            _ => n_patterns,
        };
        let mut idx = 0;
        for pattern in patterns {
            if is_rest(&pattern) {
                idx += n_parts.saturating_sub(n_patterns);
                continue;
            }
            let at = self.at(pattern);
            let part = self.field_of(value.clone(), &idx.to_string(), at);
            self.bind(pattern, part);
            idx += 1;
        }
    }

    fn bind_elements(&mut self, list: &'a syn::PatSlice, value: Value<'a>) {
        let at = self.at(list);
        let Some(slice) = self.as_slice(value, at) else {
            list.elems
                .iter()
                .for_each(|p| self.bind(p, Value::Unknown(Ty::unknown())));
            return;
        };
        let n_patterns = list.elems.len();
        let rest = list.elems.iter().position(is_rest);
        for (idx, pattern) in list.elems.iter().enumerate() {
            let number = |n: usize| build::integer(at, i64::try_from(n).unwrap_or(i64::MAX));
            let place = match rest {
                Some(rest) if rest == idx => {
                    let left = build::binary(
                        at,
                        Binary::Subtract,
                        slice.length.clone(),
                        number(n_patterns - 1),
                    );
                    let start = build::index(at, slice.pointer.clone(), number(idx));
                    let part = Value::Slice(Slice {
                        pointer: build::address(at, start),
                        length: left,
                        ..slice.clone()
                    });
                    self.bind(pattern, part);
                    continue;
                }
                Some(rest) if rest < idx => {
                    let behind = number(n_patterns - idx);
                    build::binary(at, Binary::Subtract, slice.length.clone(), behind)
                }
                _ => number(idx),
            };
            let element = build::index(self.at(pattern), slice.pointer.clone(), place);
            let element = self.value_at(element, &slice.element.clone());
            let element = match pattern {
                Pat::Reference(_) => self.reference_to(element, at),
                _ => element,
            };
            self.bind(pattern, element);
        }
    }

    /// Binds a name to a value, in variables of its own where the value is not one already.
    pub(super) fn bind_name(&mut self, name: &str, value: Value<'a>, is_mutable: bool, at: At) {
        let value = self.owned(name, value, is_mutable, at);
        self.sees.bind(name.to_owned(), value);
    }

    /// A value in variables of its own.
    fn owned(&mut self, name: &str, value: Value<'a>, is_mutable: bool, at: At) -> Value<'a> {
        if let Some(made) = self.take_made(&value) {
            return made;
        }
        let is_borrowed = self.is_borrowed_vector(&value);
        if !is_mutable && is_borrowed {
            return value;
        }
        let value = self.weakened(value, at);
        if let Value::Plain(place, Ty::Array(element, length)) = &value {
            let kind = Ty::Array(element.clone(), length.clone());
            return self.array_copy(name, place.clone(), &kind, at);
        }
        let mut parts = Vec::new();
        value.parts(&mut parts);
        let kinds = self.part_kinds(&value);
        let mut own = Vec::new();
        for (idx, (part, (suffix, kind))) in parts.into_iter().zip(kinds).enumerate() {
            let name = self.new_name(&format!("{name}{suffix}"));
            if is_mutable {
                self.changing.insert(name.clone());
            }
            let place = if idx == 0 { at } else { self.fresh_at(at) };
            self.emit(build::declaration(place, &name, kind, Some(part)));
            own.push(build::name(at, &name));
        }
        let own = value.with_parts(&mut own.into_iter());
        match own {
            // A length that changes would have to change where the vector is, too.
            Value::Slice(slice) if is_borrowed => Value::Slice(Slice {
                length: build::unary(at, Unary::Plus, slice.length),
                ..slice
            }),
            own => own,
        }
    }

    /// The condition under which a pattern matches; `None` where it always does.
    pub(super) fn matches(&mut self, pattern: &'a Pat, value: &Value<'a>) -> Option<Expression> {
        let at = self.at(pattern);
        match pattern {
            Pat::Wild(_) | Pat::Rest(_) => None,
            Pat::Ident(ident) => match &ident.subpat {
                Some((_, inner)) => self.matches(inner, value),
                None => self.matches_name(&ident.ident.to_string(), value, at),
            },
            Pat::Lit(literal) => {
                let value = self.scalar_of(value, at);
                let literal = self.literal(&literal.lit, at, None);
                match literal {
                    Value::Plain(literal, kind) if kind.is_integer() || kind == Ty::Bool => {
                        Some(build::binary(at, Binary::Equal, value, literal))
                    }
                    _ => Some(self.data(at)),
                }
            }
            Pat::Range(range) => Some(self.matches_range(range, value, at)),
            Pat::Or(or) => {
                let mut any: Option<Expression> = None;
                for case in &or.cases {
                    let one = self.matches(case, value)?;
                    any = Some(match any {
                        Some(before) => {
                            let kind = premiss_ast::syntax::ExpressionKind::Or(
                                Box::new(before),
                                Box::new(one),
                            );
                            Expression::new(at, kind)
                        }
                        None => one,
                    });
                }
                any
            }
            Pat::Paren(inner) => self.matches(&inner.pat, value),
            Pat::Type(inner) => self.matches(&inner.pat, value),
            Pat::Reference(inner) => {
                let value = self.dereferenced(value.clone(), at);
                self.matches(&inner.pat, &value)
            }
            Pat::Tuple(tuple) => {
                let mut all = None;
                for (idx, part) in tuple.elems.iter().enumerate() {
                    let inner = self.field_of(value.clone(), &idx.to_string(), at);
                    all = self.conjunction(all, part, &inner, at);
                }
                all
            }
            Pat::TupleStruct(tuple) => self.matches_variant(tuple, value, at),
            Pat::Path(path) => self.matches_path(&path.path, value, at),
            Pat::Struct(fields) if self.is_record(value) && fields.fields.is_empty() => None,
            _ => Some(self.data(at)),
        }
    }

    fn conjunction(
        &mut self,
        all: Option<Expression>,
        pattern: &'a Pat,
        value: &Value<'a>,
        at: At,
    ) -> Option<Expression> {
        match (all, self.matches(pattern, value)) {
            (Some(a), Some(b)) => Some(build::and(at, a, b)),
            (a, b) => a.or(b),
        }
    }

    fn matches_name(&mut self, name: &str, value: &Value<'a>, at: At) -> Option<Expression> {
        if name == "None" {
            return Some(self.is_some(value, at, 0));
        }
        let is_constant = name
            .chars()
            .all(|c| c.is_uppercase() || c == '_' || c.is_numeric())
            && name.starts_with(char::is_uppercase);
        if !is_constant {
            return None;
        }
        let value = self.scalar_of(value, at);
        Some(match self.named(name, at) {
            Some(Value::Plain(constant, _)) => build::binary(at, Binary::Equal, value, constant),
            _ => self.data(at),
        })
    }

    fn matches_path(&mut self, path: &syn::Path, value: &Value<'a>, at: At) -> Option<Expression> {
        match path.segments.last() {
            Some(last) if last.ident == "None" => Some(self.is_some(value, at, 0)),
            _ => Some(self.data(at)),
        }
    }

    fn matches_variant(
        &mut self,
        tuple: &'a syn::PatTupleStruct,
        value: &Value<'a>,
        at: At,
    ) -> Option<Expression> {
        if self.is_record(value) {
            return None;
        }
        let last = tuple
            .path
            .segments
            .last()
            .map(|part| part.ident.to_string());
        let wanted = match last.as_deref() {
            Some("Some" | "Ok") => 1,
            Some("Err") => 0,
            _ => return Some(self.data(at)),
        };
        let here = self.is_some(value, at, wanted);
        let inner = self.contained(value.clone());
        match tuple.elems.first() {
            Some(pattern) if wanted == 1 => self.conjunction(Some(here), pattern, &inner, at),
            _ => Some(here),
        }
    }

    /// Whether a value is `Some`, or is not.
    pub(super) fn is_some(&mut self, value: &Value<'a>, at: At, wanted: i64) -> Expression {
        match (value, wanted) {
            (Value::Maybe(is_some, _), 1) => is_some.clone(),
            (Value::Maybe(is_some, _), _) => build::unary(at, Unary::Not, is_some.clone()),
            _ => self.data(at),
        }
    }

    fn matches_range(
        &mut self,
        range: &'a syn::ExprRange,
        value: &Value<'a>,
        at: At,
    ) -> Expression {
        let value = self.scalar_of(value, at);
        let bound = |body: &mut Self, end: &'a Option<Box<Expr>>, operator| {
            let end = end.as_ref()?;
            let end = body.integer(end);
            Some(build::binary(at, operator, value.clone(), end))
        };
        let start = bound(self, &range.start, Binary::GreaterEqual);
        let operator = match range.limits {
            syn::RangeLimits::HalfOpen(_) => Binary::Less,
            syn::RangeLimits::Closed(_) => Binary::LessEqual,
        };
        let end = bound(self, &range.end, operator);
        match (start, end) {
            (Some(a), Some(b)) => build::and(at, a, b),
            (Some(a), None) | (None, Some(a)) => a,
            (None, None) => build::integer(at, 1),
        }
    }

    /// A scalar as it is compared with patterns.
    fn scalar_of(&mut self, value: &Value<'a>, at: At) -> Expression {
        let value = self.peeled(value.clone(), at);
        match value {
            Value::Plain(expression, kind) if kind.is_integer() || kind == Ty::Bool => {
                self.loaded(expression, &kind)
            }
            _ => self.data(at),
        }
    }
}

/// The name of a field as it is written.
pub(super) fn member_name(member: &syn::Member) -> String {
    match member {
        syn::Member::Named(name) => name.to_string(),
        syn::Member::Unnamed(index) => index.index.to_string(),
    }
}

fn is_rest(pattern: &Pat) -> bool {
    match pattern {
        Pat::Rest(_) => true,
        Pat::Ident(ident) => matches!(&ident.subpat, Some((_, inner)) if is_rest(inner)),
        _ => false,
    }
}
