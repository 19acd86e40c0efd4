//! Arrays and structs that are written out.

use super::patterns::member_name;
use super::{Body, build};
use crate::types::{Argument, Length, Ty};
use crate::value::Value;
use premiss_ast::syntax::{At, Expression};
use std::sync::Arc;

/// How many elements of an array are stored one by one.
const MAX_ELEMENTS: usize = 4_096;

impl<'a> Body<'a, '_> {
    /// `[a, b, c]`
    pub(super) fn array(
        &mut self,
        array: &'a syn::ExprArray,
        at: At,
        expected: Option<&Ty>,
    ) -> Value<'a> {
        let wanted = self.wanted.take();
        let inner = expected.and_then(Ty::element).map(|kind| (*kind).clone());
        let inner = inner.filter(|kind| !kind.is_unknown());
        let n_elements = array.elems.len();
        if MAX_ELEMENTS < n_elements {
            return self.unsupported("an array of more than 4096 written elements", at);
        }
        let list = array.elems.iter().map(|x| (x, inner.clone())).collect();
        let values = self.operands(list);
        let element = match (&inner, values.first()) {
            (Some(kind), _) => kind.clone(),
            (None, Some(first)) => self.open(first.kind(), at),
            (None, None) => Ty::Hole(at.start as usize),
        };
        let length = build::integer(at, i64::try_from(n_elements).unwrap_or(i64::MAX));
        let kind = Ty::Array(Arc::new(element.clone()), Length(Arc::new(length)));
        self.wanted = wanted;
        let place = self.making("array", &kind, at);
        for (idx, value) in values.into_iter().enumerate() {
            let idx = build::integer(at, i64::try_from(idx).unwrap_or(i64::MAX));
            let element_place = build::index(at, place.clone(), idx);
            self.store(element_place, &element, value, at);
        }
        Value::Plain(place, kind)
    }

    /// `[x; n]`: what an array starts with makes no access.
    pub(super) fn repeat(
        &mut self,
        array: &'a syn::ExprRepeat,
        at: At,
        expected: Option<&Ty>,
    ) -> Value<'a> {
        let wanted = self.wanted.take();
        let inner = expected
            .and_then(Ty::element)
            .filter(|kind| !kind.is_unknown());
        let element = self.repeated_type(&array.expr, inner.as_deref(), at);
        let scope = self.scope.clone();
        let length = crate::resolve::constant(&array.len, &scope);
        let kind = Ty::Array(Arc::new(element), Length(Arc::new(length)));
        self.wanted = wanted;
        let place = self.making("array", &kind, at);
        Value::Plain(place, kind)
    }

    /// The type of an element that stands there once for all.
    pub(super) fn repeated_type(
        &mut self,
        value: &'a syn::Expr,
        expected: Option<&Ty>,
        at: At,
    ) -> Ty {
        let (list, found) = self.aside(|body| body.expression(value, expected));
        self.made.clear();
        // What is made for one element only is not made at all.
        drop(list);
        match expected {
            Some(kind) => {
                self.tell(kind, &found.kind());
                kind.clone()
            }
            None => self.open(found.kind(), at),
        }
    }

    pub(super) fn struct_literal(&mut self, literal: &'a syn::ExprStruct, at: At) -> Value<'a> {
        let wanted = self.wanted.take();
        let parts = self.path_parts(&literal.path);
        let record = parts.last().and_then(|name| self.ctx.index.record_of(name));
        let Some(record) = record else {
            for field in &literal.fields {
                let value = self.expression(&field.expr, None);
                self.evaluate(value);
            }
            let name = parts.last().cloned().unwrap_or_default();
            return Value::Unknown(Ty::Unknown(name.into()));
        };
        let arguments = self.record_arguments(record, &literal.path);
        let kinds = self.ctx.fields(record, &arguments);
        let kind_of = |name: &str| {
            let kind = kinds.iter().find(|(field, _)| field == name);
            kind.map(|(_, kind)| kind.clone())
        };
        let names: Vec<String> = literal
            .fields
            .iter()
            .map(|f| member_name(&f.member))
            .collect();
        let mut values = Vec::new();
        for (field, name) in literal.fields.iter().zip(&names) {
            let own = wanted.as_ref().map(|wanted| format!("{wanted}.{name}"));
            let before = Value::Tuple(std::mem::take(&mut values));
            let expected = kind_of(name);
            let (before, value) = self.in_order(before, |body| {
                body.wanted = own;
                body.expression(&field.expr, expected.as_ref())
            });
            if let Value::Tuple(before) = before {
                values = before;
            }
            let is_lent =
                matches!(&field.expr, syn::Expr::Reference(lent) if lent.mutability.is_some());
            if is_lent && self.is_borrowed_vector(&value) {
                let at = self.at(&field.expr);
                self.unsupported("a vector that a struct may make longer", at);
            }
            values.push(value);
        }
        self.wanted = None;
        let rest = literal
            .rest
            .as_ref()
            .map(|rest| self.expression(rest, None));
        let mut learned = arguments.clone();
        self.learn_arguments(record, &names, &values, &mut learned);
        self.wanted = wanted;
        let kind = Ty::Record(record, learned.into());
        let place = self.making("value", &kind, at);
        if let Some(rest) = rest {
            self.store(place.clone(), &kind, rest, at);
        }
        self.store_fields(&place, &kind, names.into_iter().zip(values), at);
        Value::Plain(place, kind)
    }

    fn store_fields(
        &mut self,
        place: &Expression,
        kind: &Ty,
        fields: impl Iterator<Item = (String, Value<'a>)>,
        at: At,
    ) {
        let Ty::Record(record, arguments) = kind else {
            return;
        };
        let kinds = self.ctx.fields(*record, arguments);
        for (name, value) in fields {
            if let Some((_, kind)) = kinds.iter().find(|(field, _)| *field == name) {
                let member = build::member(at, place.clone(), &name);
                self.store(member, kind, value, at);
            }
        }
    }

    /// `Struct(a, b)`
    pub(super) fn tuple_struct(
        &mut self,
        record: usize,
        values: Vec<Value<'a>>,
        at: At,
    ) -> Value<'a> {
        let names: Vec<String> = (0..values.len()).map(|idx| idx.to_string()).collect();
        let mut arguments = self.no_arguments(record);
        self.learn_arguments(record, &names, &values, &mut arguments);
        let kind = Ty::Record(record, arguments.into());
        let place = self.making("value", &kind, at);
        self.store_fields(&place, &kind, names.into_iter().zip(values), at);
        Value::Plain(place, kind)
    }

    fn record_arguments(&mut self, record: usize, path: &syn::Path) -> Vec<Argument> {
        if let Some(Ty::Record(own, arguments)) = &self.scope.self_type
            && *own == record
        {
            return arguments.to_vec();
        }
        let scope = self.scope.clone();
        let stated = match path.segments.last() {
            Some(last) => self.ctx.arguments(last, &scope, 0),
            None => Vec::new(),
        };
        match stated.is_empty() {
            true => self.no_arguments(record),
            false => stated,
        }
    }

    /// Arguments of which none is known.
    fn no_arguments(&self, record: usize) -> Vec<Argument> {
        let generics = self.ctx.index.records[record].generics;
        let parameters = generics
            .params
            .iter()
            .filter_map(|parameter| match parameter {
                syn::GenericParam::Type(_) => Some(Argument::Type(Ty::unknown())),
                syn::GenericParam::Const(parameter) => {
                    let name = crate::resolve::named_constant(&parameter.ident.to_string());
                    Some(Argument::Value(Length(Arc::new(name))))
                }
                syn::GenericParam::Lifetime(_) => None,
            });
        parameters.collect()
    }

    /// Learns what the parameters of a struct stand for from the values of its fields.
    fn learn_arguments(
        &mut self,
        record: usize,
        names: &[String],
        values: &[Value<'a>],
        arguments: &mut [Argument],
    ) {
        let kinds: Vec<Ty> = values
            .iter()
            .map(|value| self.filled_in(&value.kind()))
            .collect();
        let item = &self.ctx.index.records[record];
        let mut bound = crate::generics::Bound::new([item.generics].into_iter());
        for (name, kind) in names.iter().zip(&kinds) {
            if let Some((_, written)) = item.fields.iter().find(|(field, _)| field == name) {
                bound.learn(self.ctx, written, kind);
            }
        }
        let is_lifetime = |p: &&syn::GenericParam| matches!(p, syn::GenericParam::Lifetime(_));
        let parameters = item.generics.params.iter().filter(|p| !is_lifetime(p));
        for (parameter, argument) in parameters.zip(arguments) {
            match (parameter, &argument) {
                (syn::GenericParam::Type(parameter), Argument::Type(kind)) if kind.is_unknown() => {
                    if let Some(found) = bound.scope.types.get(&parameter.ident.to_string()) {
                        *argument = Argument::Type(found.clone());
                    }
                }
                (syn::GenericParam::Const(parameter), Argument::Value(_)) => {
                    let name = parameter.ident.to_string();
                    let found = bound.constants.iter().find(|(known, _)| *known == name);
                    if let Some((_, value)) = found {
                        *argument = Argument::Value(Length(Arc::new(value.clone())));
                    }
                }
                _ => {}
            }
        }
    }
}
