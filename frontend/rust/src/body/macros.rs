//! Macros.

use super::{Body, build};
use crate::expand::PREFIX;
use crate::types::Ty;
use crate::value::{Slice, Value};
use premiss_ast::syntax::At;
use std::sync::Arc;
use syn::{Expr, Macro};

impl<'a> Body<'a, '_> {
    /// A macro that nothing is known of.
    pub(super) fn macro_value(&mut self, one: &Macro, at: At) -> Value<'a> {
        let words: Vec<String> = one
            .path
            .segments
            .iter()
            .map(|x| x.ident.to_string())
            .collect();
        self.unsupported(format!("the macro `{}!`", words.join("::")), at)
    }

    /// A call that stands for a macro.
    pub(super) fn known_macro(
        &mut self,
        call: &'a syn::ExprCall,
        at: At,
        expected: Option<&Ty>,
    ) -> Option<Value<'a>> {
        let Expr::Path(path) = &*call.func else {
            return None;
        };
        let name = path.path.get_ident()?.to_string();
        let name = name.strip_prefix(PREFIX)?;
        let list: Vec<&'a Expr> = call.args.iter().collect();
        Some(match (name, list.as_slice()) {
            ("vec_repeat", [value, length]) => self.repeated(value, length, at, expected),
            ("vec", list) => self.vector_of(list, at, expected),
            ("dbg", [value]) => self.expression(value, expected),
            (name, list) => {
                for value in list {
                    let value = self.expression(value, None);
                    self.evaluate_read(value, at);
                }
                match name {
                    "panic" | "unreachable" | "todo" | "unimplemented" => Value::Never,
                    _ => Value::Unknown(Ty::unknown()),
                }
            }
        })
    }

    /// Reads what is printed or checked.
    fn evaluate_read(&mut self, value: Value<'a>, at: At) {
        let value = self.peeled(value, at);
        if let Value::Plain(place, kind) = &value
            && !self.solved(kind).is_scalar()
            && build::is_place(place)
        {
            return;
        }
        self.evaluate(value);
    }

    /// `vec![value; length]`: what it starts with makes no access.
    fn repeated(
        &mut self,
        value: &'a Expr,
        length: &'a Expr,
        at: At,
        expected: Option<&Ty>,
    ) -> Value<'a> {
        let wanted = self.wanted.take();
        let inner = expected
            .and_then(Ty::element)
            .filter(|kind| !kind.is_unknown());
        let element = self.repeated_type(value, inner.as_deref(), at);
        let length = self.integer(length);
        let length = self.stable(length, "length");
        self.wanted = wanted;
        let slice = self.allocated(&Arc::new(element), length, at);
        Value::Slice(slice)
    }

    /// `vec![a, b, c]`
    fn vector_of(&mut self, list: &[&'a Expr], at: At, expected: Option<&Ty>) -> Value<'a> {
        let wanted = self.wanted.take();
        let inner = expected.and_then(Ty::element).map(|kind| (*kind).clone());
        let inner = inner.filter(|kind| !kind.is_unknown());
        let values = self.operands(list.iter().map(|x| (*x, inner.clone())).collect());
        let element = match (&inner, values.first()) {
            (Some(kind), _) => kind.clone(),
            (None, Some(first)) => self.open(first.kind(), at),
            (None, None) => Ty::Hole(at.start as usize),
        };
        let number = |n: usize| build::integer(at, i64::try_from(n).unwrap_or(i64::MAX));
        self.wanted = wanted;
        let slice: Slice = self.allocated(&Arc::new(element.clone()), number(values.len()), at);
        for (idx, value) in values.into_iter().enumerate() {
            let place = build::index(at, slice.pointer.clone(), number(idx));
            self.store(place, &element, value, at);
        }
        Value::Slice(slice)
    }
}
