//! A function of its own: its parameters, its body, its result.

use super::control::Returns;
use super::{Body, build};
use crate::context::{Context, Instance};
use crate::ground::Copied;
use crate::types::{Length, Ty};
use crate::value::{Environment, Value, part_name};
use premiss_ast::structured_loops;
use premiss_ast::syntax::{
    At, Expression, Function, Item, Linkage, Name, Parameter, Signature, Statement, StatementKind,
    TypeName,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use syn::{FnArg, Pat, ReceiverKind};

/// How often a body is read until the types of its literals are known.
const MAX_PASSES: usize = 3;

/// Puts a function into the imperative syntax.
pub(crate) fn lower(ctx: &mut Context, instance: &Instance) -> Function {
    let mut holes = BTreeMap::new();
    for _ in 1..MAX_PASSES {
        let n_open = ctx.open.len();
        let (function, found) = pass(ctx, instance, holes.clone());
        if found == holes {
            return function;
        }
        ctx.undo(n_open);
        holes = found;
    }
    pass(ctx, instance, holes).0
}

fn pass(
    ctx: &mut Context,
    instance: &Instance,
    holes: BTreeMap<usize, Ty>,
) -> (Function, BTreeMap<usize, Ty>) {
    let unit = ctx.index.functions[instance.function].unit;
    let mut body = new_body(ctx, unit, instance.scope.clone(), instance.copy);
    body.holes = holes;
    let function = body.function(instance);
    (function, body.holes)
}

/// A constant or static of the program.
pub(crate) fn constant(ctx: &mut Context, constant: usize) -> Item {
    let kind = ctx.constant_type(constant);
    let item = &ctx.index.constants[constant];
    let (unit, name, value, span) = (item.unit, item.name.clone(), item.value, item.span);
    let is_const = !item.is_mutable;
    let mut scope = crate::context::Scope::default();
    if let Some(own) = item.owner.as_ref().and_then(|owner| owner.self_type) {
        scope.self_type = Some(ctx.resolve(own, &scope));
    }
    let mut body = new_body(ctx, unit, Arc::new(scope), Copied::default());
    let at = body.place(span);
    let initializer = body.initializer(value, &kind);
    let memory = body.ctx.memory(&kind);
    crate::program::object(&name, at, kind.variable(memory), is_const, initializer)
}

fn new_body<'a, 'c>(
    ctx: &'c mut Context<'a>,
    unit: usize,
    scope: Arc<crate::context::Scope>,
    copy: Copied,
) -> Body<'a, 'c> {
    Body {
        ctx,
        scope,
        unit,
        copy,
        sees: Environment::default(),
        block: Vec::new(),
        taken: vec![BTreeSet::new()],
        changing: BTreeSet::new(),
        loops: Vec::new(),
        returns: Returns::Function,
        inlined: Vec::new(),
        result: Ty::Unit,
        wanted: None,
        lets: Vec::new(),
        made: BTreeSet::new(),
        holes: BTreeMap::new(),
        n_labels: 0,
        n_statements: 0,
        n_loops: 0,
    }
}

impl<'a> Body<'a, '_> {
    fn function(&mut self, instance: &Instance) -> Function {
        let item = &self.ctx.index.functions[instance.function];
        let (sig, block) = (item.sig, item.block);
        let at = self.at(&sig.ident);
        let mut parameters = self.constant_parameters(instance.function, at);
        let mut patterns = Vec::new();
        for (idx, argument) in sig.inputs.iter().enumerate() {
            let is_changed = super::lengths::is_lent(argument)
                && self.ctx.change(instance.function) != super::lengths::Change::Nothing;
            self.parameter(idx, argument, is_changed, &mut parameters, &mut patterns);
        }
        self.result = self.result_type(instance.function);
        for (pattern, value) in patterns {
            self.bind(pattern, value);
        }
        let value = self.statements(block);
        if !matches!(value, Value::Never) {
            self.return_value(value, self.at(block));
        }
        let result = self.result.clone();
        let signature = Signature {
            result: Arc::new(self.result_name(&result)),
            parameters,
            order: Vec::new(),
        };
        let mut body = std::mem::take(&mut self.block);
        drop_empty_return(&mut body);
        Function {
            name: instance.name.clone(),
            at,
            signature: Arc::new(signature),
            linkage: Linkage::External,
            body: structured_loops(build::block(self.at(block), body)),
        }
    }

    /// Constants that a caller gives are parameters before the others.
    fn constant_parameters(&mut self, function: usize, at: At) -> Vec<Parameter> {
        let names = self.ctx.constant_parameters(function);
        let parameters = names.into_iter().map(|name| {
            let name: Name = name.into();
            if let Some(block) = self.taken.last_mut() {
                block.insert(name.clone());
            }
            Parameter {
                name: Some(name),
                at: self.fresh_at(at),
                kind: Arc::new(build::wide()),
            }
        });
        parameters.collect()
    }

    fn parameter(
        &mut self,
        idx: usize,
        argument: &'a FnArg,
        is_changed: bool,
        parameters: &mut Vec<Parameter>,
        patterns: &mut Vec<(&'a Pat, Value<'a>)>,
    ) {
        let (name, at, is_mutable) = match argument {
            FnArg::Receiver(receiver) => {
                let at = self.at(&receiver.self_token);
                ("self".to_owned(), at, receiver.mutability.is_some())
            }
            FnArg::Typed(typed) => match &*typed.pat {
                Pat::Ident(ident) if ident.subpat.is_none() => {
                    let at = self.at(&ident.ident);
                    (ident.ident.to_string(), at, ident.mutability.is_some())
                }
                pattern => (format!("{idx}"), self.at(pattern), false),
            },
        };
        let kind = self.parameter_type(argument);
        let value = self.declare_parameter(&name, &kind, at, is_mutable || is_changed, parameters);
        match argument {
            FnArg::Typed(typed) if !matches!(&*typed.pat, Pat::Ident(_)) => {
                patterns.push((&typed.pat, value));
            }
            _ => self.sees.bind(name, value),
        }
    }

    fn declare_parameter(
        &mut self,
        name: &str,
        kind: &Ty,
        at: At,
        is_mutable: bool,
        parameters: &mut Vec<Parameter>,
    ) -> Value<'a> {
        let mut names = Vec::new();
        let parts = self.parts_of(kind);
        for (idx, (suffix, part)) in parts.into_iter().enumerate() {
            let part_at = if idx == 0 { at } else { self.fresh_at(at) };
            let name = self.new_name(&part_name(name, &suffix));
            let part = match kind {
                // Its extent is known.
                Ty::Pointer(inner) if matches!(**inner, Ty::Array(..)) => self.memory(inner),
                _ => part,
            };
            if is_mutable {
                self.changing.insert(name.clone());
            }
            names.push(build::name(at, &name));
            parameters.push(Parameter {
                name: Some(name),
                at: part_at,
                kind: Arc::new(part),
            });
        }
        self.made_of(kind, at, &mut names.into_iter())
    }

    /// The type of a parameter in this function.
    pub(super) fn parameter_type(&mut self, argument: &FnArg) -> Ty {
        let scope = self.scope.clone();
        self.ctx.parameter_type(argument, &scope)
    }

    fn result_type(&self, function: usize) -> Ty {
        let item = &self.ctx.index.functions[function];
        self.ctx.result_type(item.sig, &self.scope)
    }

    /// The type of what a function yields in the imperative syntax.
    pub(super) fn result_name(&mut self, kind: &Ty) -> TypeName {
        match kind {
            Ty::Unit | Ty::Never | Ty::Maybe(_) | Ty::Unknown(_) | Ty::Hole(_) => TypeName::Void,
            Ty::Array(..) => TypeName::Void,
            Ty::Pointer(inner) if matches!(**inner, Ty::Vec(_)) => self.memory(inner),
            kind => {
                let memory = self.memory(kind);
                kind.variable(memory)
            }
        }
    }

    /// The end of the function, with its result.
    pub(super) fn return_from_function(&mut self, value: Value<'a>, at: At) {
        let kind = self.result.clone();
        let value = self.coerced(value, &kind);
        let result = match (self.result_name(&kind), value) {
            (TypeName::Void, value) => {
                self.evaluate(value);
                None
            }
            (name, value) => Some(self.returned(name, &kind, value, at)),
        };
        self.emit(build::statement(at, StatementKind::Return(result)));
    }

    fn returned(&mut self, name: TypeName, kind: &Ty, value: Value<'a>, at: At) -> Expression {
        match value {
            Value::Plain(expression, _) => expression,
            Value::Unknown(_) => build::data(at, name),
            value => {
                let place = self.fresh_at(at);
                let variable = self.new_name("result");
                self.emit(build::declaration(place, &variable, name, None));
                let variable = build::name(at, &variable);
                let inner = match kind {
                    Ty::Pointer(inner) if matches!(**inner, Ty::Vec(_)) => (**inner).clone(),
                    kind => kind.clone(),
                };
                self.store(variable.clone(), &inner, value, at);
                variable
            }
        }
    }

    /// A value of a type made of its parts.
    pub(super) fn made_of(
        &mut self,
        kind: &Ty,
        at: At,
        parts: &mut dyn Iterator<Item = Expression>,
    ) -> Value<'a> {
        let mut next = || parts.next().unwrap_or_else(|| build::integer(at, 0));
        if let Some(element) = kind.slice_element() {
            return Value::Slice(crate::value::Slice {
                pointer: next(),
                length: next(),
                element,
                kind: kind.clone(),
            });
        }
        if let Some((element, rank)) = kind.grid() {
            let pointer = next();
            let lengths = (0..rank).map(|_| next()).collect();
            return Value::Grid(crate::value::Grid::standard(at, pointer, element, lengths));
        }
        match kind {
            Ty::Unit => Value::Unit,
            Ty::Never => Value::Never,
            Ty::Tuple(list) => Value::Tuple(
                list.iter()
                    .map(|kind| self.made_of(kind, at, parts))
                    .collect(),
            ),
            Ty::Range(kind) => Value::Range(crate::value::Range {
                start: Some(next()),
                end: Some(next()),
                kind: (**kind).clone(),
            }),
            Ty::Maybe(inner) => {
                let is_some = next();
                Value::Maybe(is_some, Box::new(self.made_of(inner, at, parts)))
            }
            kind => Value::Plain(next(), kind.clone()),
        }
    }
}

impl Context<'_> {
    /// The names of the constants that a function is given by its caller.
    pub(crate) fn constant_parameters(&self, function: usize) -> Vec<String> {
        let item = &self.index.functions[function];
        let of_owner = item
            .owner
            .iter()
            .flat_map(|owner| owner.generics.params.iter());
        let all = of_owner.chain(item.sig.generics.params.iter());
        let names = all.filter_map(|parameter| match parameter {
            syn::GenericParam::Const(parameter) => Some(parameter.ident.to_string()),
            _ => None,
        });
        names.collect()
    }

    /// The type of a parameter.
    pub(crate) fn parameter_type(&self, argument: &FnArg, scope: &crate::context::Scope) -> Ty {
        let own = || scope.self_type.clone().unwrap_or_else(Ty::unknown);
        match argument {
            FnArg::Receiver(receiver) => match &receiver.kind {
                ReceiverKind::Value => own(),
                ReceiverKind::Reference(..) => own().pointer(),
                ReceiverKind::Typed(_, kind) => self.resolve(kind, scope),
                _ => Ty::unknown(),
            },
            FnArg::Typed(typed) => self.resolve(&typed.ty, scope),
        }
    }

    /// The type of what a function yields.
    pub(crate) fn result_type(&self, sig: &syn::Signature, scope: &crate::context::Scope) -> Ty {
        match &sig.output {
            syn::ReturnType::Default => Ty::Unit,
            syn::ReturnType::Type(_, kind) => self.resolve(kind, scope),
        }
    }
}

impl Length {
    /// The length as an expression.
    pub(crate) fn expression(&self) -> Expression {
        (*self.0).clone()
    }
}

/// A `return` of nothing at the end says nothing.
fn drop_empty_return(body: &mut Vec<Statement>) {
    if let Some(Statement {
        kind: StatementKind::Return(None),
        ..
    }) = body.last()
    {
        body.pop();
    }
}
