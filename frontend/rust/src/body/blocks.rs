//! Blocks and the statements in them.

use super::{Body, build};
use crate::types::Ty;
use crate::value::Value;
use premiss_ast::syntax::{At, Declaration, Initializer, Lifetime, Object, StatementKind};
use premiss_tree::RejectReason;
use std::sync::Arc;
use syn::{Block, Item, Local, Pat, Stmt};

impl<'a> Body<'a, '_> {
    /// The statements of a block, and what the block yields.
    pub(super) fn statements(&mut self, block: &'a Block) -> Value<'a> {
        for statement in &block.stmts {
            // Items are known in the whole block.
            if let Stmt::Item(Item::Const(item)) = statement {
                let name = item.ident.to_string();
                self.local_constant(&name, &item.ty, &item.expr, self.at(&item.ident));
            }
        }
        let Some((last, before)) = block.stmts.split_last() else {
            return Value::Unit;
        };
        for statement in before {
            if let Some(limit) = self.limit() {
                self.reject(RejectReason::Budget { limit }, self.at(statement));
                return Value::Never;
            }
            let value = self.one_statement(statement);
            if matches!(value, Value::Never) {
                return Value::Never;
            }
        }
        match last {
            Stmt::Expr(value, None) => self.expression(value, None),
            Stmt::Macro(one) if one.semi_token.is_none() => {
                self.macro_value(&one.mac, self.at(one))
            }
            other => match self.one_statement(other) {
                Value::Never => Value::Never,
                _ => Value::Unit,
            },
        }
    }

    /// What keeps a body from becoming any longer.
    fn limit(&self) -> Option<String> {
        let (own, all) = (super::MAX_STATEMENTS, super::MAX_ALL_STATEMENTS);
        if own < self.n_statements {
            return Some(format!("{own} statements that one function becomes"));
        }
        (all < self.ctx.n_statements).then(|| format!("{all} statements that all functions become"))
    }

    pub(super) fn one_statement(&mut self, statement: &'a Stmt) -> Value<'a> {
        match statement {
            Stmt::Local(local) => self.local(local),
            Stmt::Item(_) => Value::Unit,
            Stmt::Expr(value, _) => {
                let value = self.expression(value, None);
                self.evaluate(value)
            }
            Stmt::Macro(one) => {
                let value = self.macro_value(&one.mac, self.at(one));
                self.evaluate(value)
            }
        }
    }

    /// Evaluates a value that nobody needs.
    pub(super) fn evaluate(&mut self, value: Value<'a>) -> Value<'a> {
        if let Value::Never = value {
            return value;
        }
        let mut parts = Vec::new();
        match &value {
            Value::Plain(place, kind) if !kind.is_scalar() && build::is_place(place) => {}
            value => value.parts(&mut parts),
        }
        for part in parts {
            if !build::is_pure(&part) {
                self.emit(build::evaluated(part));
            }
        }
        Value::Unit
    }

    fn local(&mut self, local: &'a Local) -> Value<'a> {
        let (pattern, kind) = match &local.pat {
            Pat::Type(typed) => {
                let scope = self.scope.clone();
                let kind = self.ctx.resolve(&typed.ty, &scope);
                let kind = self.filled(kind, self.at(&typed.ty));
                (&*typed.pat, Some(kind))
            }
            pattern => (pattern, None),
        };
        let Some(init) = &local.init else {
            self.declare_empty(pattern, kind);
            return Value::Unit;
        };
        if let Pat::Ident(ident) = pattern {
            self.wanted = Some(ident.ident.to_string());
        }
        let value = self.expression(&init.expr, kind.as_ref());
        self.wanted = None;
        if matches!(value, Value::Never) {
            return value;
        }
        let value = match &kind {
            Some(kind) => self.coerced(value, kind),
            None => value,
        };
        if let Some((_, otherwise)) = &init.diverge {
            return self.let_else(pattern, value, otherwise);
        }
        self.bind(pattern, value);
        Value::Unit
    }

    /// `let x;`: a variable that is given its value later on.
    fn declare_empty(&mut self, pattern: &'a Pat, kind: Option<Ty>) {
        let Pat::Ident(ident) = pattern else { return };
        let at = self.at(&ident.ident);
        let start = at.start as usize;
        let kind = kind.unwrap_or(Ty::Hole(start));
        let kind = self.solved(&kind);
        let name = ident.ident.to_string();
        let value = self.empty_variable(&name, &kind, at);
        self.sees.bind(name, value);
    }

    /// A variable of a type, without a value.
    pub(super) fn empty_variable(&mut self, name: &str, kind: &Ty, at: At) -> Value<'a> {
        let mut names = Vec::new();
        for (suffix, part) in self.parts_of(kind) {
            let name = self.new_name(&format!("{name}{suffix}"));
            self.changing.insert(name.clone());
            let place = self.fresh_at(at);
            self.emit(build::declaration(place, &name, part, None));
            names.push(build::name(at, &name));
        }
        self.made_of(kind, at, &mut names.into_iter())
    }

    /// A constant that a body declares.
    fn local_constant(&mut self, name: &str, kind: &'a syn::Type, value: &'a syn::Expr, at: At) {
        let scope = self.scope.clone();
        let kind = self.ctx.resolve(kind, &scope);
        let memory = self.memory(&kind);
        let initializer = self.initializer(value, &kind);
        let object = Object {
            name: name.into(),
            at,
            kind: Arc::new(kind.variable(memory)),
            lifetime: Lifetime::Automatic,
            is_const: true,
            is_volatile: false,
            initializer: Some(initializer),
        };
        if let Some(block) = self.taken.last_mut() {
            block.insert(name.into());
        }
        let list = vec![Declaration::Object(object)];
        self.emit(build::statement(at, StatementKind::Declarations(list)));
        let place = build::name(at, &name.into());
        let found = self.value_at(place, &kind);
        self.sees.bind(name.to_owned(), found);
    }

    /// What a constant starts with.
    pub(super) fn initializer(&mut self, value: &'a syn::Expr, kind: &Ty) -> Initializer {
        match (value, kind) {
            (syn::Expr::Array(list), Ty::Array(element, _)) => {
                let parts = list.elems.iter().map(|part| premiss_ast::syntax::Part {
                    designators: Vec::new(),
                    value: self.initializer(part, element),
                });
                Initializer::List(parts.collect())
            }
            (syn::Expr::Reference(inner), Ty::Pointer(kind)) => self.initializer(&inner.expr, kind),
            (value, _) => {
                let at = self.at(value);
                let (_, found) = self.aside(|body| body.expression(value, Some(kind)));
                Initializer::Expression(match found {
                    Value::Plain(found, _) => found,
                    _ => self.data(at),
                })
            }
        }
    }
}
