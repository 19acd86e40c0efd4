//! Signatures: the types of parameters and results, and the variables in which values are passed.
//!
//! A slice is passed as a pointer and a length, a tuple as its parts.

use crate::ast_builder;
use crate::body::context::Body;
use crate::body::values::places;
use crate::context::ProgramContext;
use crate::types::Ty;
use crate::value::Value;
use premiss_ast::syntax::{Expression, Name, Parameter, TextRange, TypeName};
use std::sync::Arc;
use syn::{FnArg, ReceiverKind};

impl ProgramContext<'_> {
    /// The names of the constants that the caller passes to a function.
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
    pub(crate) fn parameter_type(
        &self,
        argument: &FnArg,
        scope: &crate::context::Substitution,
    ) -> Ty {
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

    /// The types of the parameters of a function.
    pub(crate) fn parameter_types(
        &self,
        function: usize,
        scope: &crate::context::Substitution,
    ) -> Vec<Ty> {
        let item = &self.index.functions[function];
        let inputs = item.sig.inputs.iter();
        self.in_text(item.unit, |c| {
            inputs.map(|x| c.parameter_type(x, scope)).collect()
        })
    }

    /// The type of a function's result.
    pub(crate) fn result_type(
        &self,
        sig: &syn::Signature,
        scope: &crate::context::Substitution,
    ) -> Ty {
        match &sig.output {
            syn::ReturnType::Default => Ty::Unit,
            syn::ReturnType::Type(_, kind) => self.resolve(kind, scope),
        }
    }
}

/// A variable of a type, without a value.
pub(crate) fn declare_uninitialized<'a>(
    ctx: &mut Body<'a, '_>,
    name: &str,
    kind: &Ty,
    at: TextRange,
) -> Value<'a> {
    let mut names = Vec::new();
    for (suffix, part) in ctx.parts_of(kind) {
        let name = ctx.fresh_name(&format!("{name}{suffix}"));
        ctx.mutable_names.insert(name.clone());
        let place = ctx.fresh_at(at);
        ctx.emit(ast_builder::declaration(place, &name, part, None));
        names.push(ast_builder::name(at, &name));
    }
    value_of_parts(kind, at, &mut names.into_iter())
}

/// Parameters for the constants that a caller passes, which precede the others.
pub(crate) fn constant_parameters(
    ctx: &mut Body,
    function: usize,
    at: TextRange,
) -> Vec<Parameter> {
    let names = ctx.program.constant_parameters(function);
    let parameters = names.into_iter().map(|name| {
        let name: Name = name.into();
        if let Some(block) = ctx.block_names.last_mut() {
            block.insert(name.clone());
        }
        Parameter {
            name: Some(name),
            at: ctx.fresh_at(at),
            kind: Arc::new(ast_builder::wide()),
        }
    });
    parameters.collect()
}

/// The type of a parameter of this function.
pub(crate) fn parameter_type(ctx: &mut Body, argument: &FnArg) -> Ty {
    let scope = ctx.substitution.clone();
    ctx.program.parameter_type(argument, &scope)
}

pub(crate) fn result_type(ctx: &Body, function: usize) -> Ty {
    let item = &ctx.program.index.functions[function];
    ctx.program.result_type(item.sig, &ctx.substitution)
}

/// The type of a function's result in the common syntax.
pub(crate) fn result_type_name(ctx: &mut Body, kind: &Ty) -> TypeName {
    match kind {
        Ty::Unit | Ty::Never | Ty::Option(_) | Ty::Unknown(_) | Ty::Infer(_) => TypeName::Void,
        kind if places::is_array(ctx, kind) => TypeName::Void,
        Ty::Pointer(inner) if matches!(**inner, Ty::Vec(_)) => ctx.memory_type(inner),
        kind => {
            let memory = ctx.memory_type(kind);
            kind.variable(memory)
        }
    }
}

/// A value of a type, given its parts.
pub(crate) fn value_of_parts<'a>(
    kind: &Ty,
    at: TextRange,
    parts: &mut dyn Iterator<Item = Expression>,
) -> Value<'a> {
    let mut next = || parts.next().unwrap_or_else(|| ast_builder::integer(at, 0));
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
        return Value::NdArray(crate::value::NdArray::standard(
            at, pointer, element, lengths,
        ));
    }
    match kind {
        Ty::Unit => Value::Unit,
        Ty::Never => Value::Never,
        Ty::Tuple(list) => Value::Tuple(
            list.iter()
                .map(|kind| value_of_parts(kind, at, parts))
                .collect(),
        ),
        Ty::Range(kind) => Value::Range(crate::value::Range {
            start: Some(next()),
            end: Some(next()),
            kind: (**kind).clone(),
        }),
        Ty::Option(inner) => {
            let is_some = next();
            Value::Option(is_some, Box::new(value_of_parts(inner, at, parts)))
        }
        kind => Value::Plain(next(), kind.clone()),
    }
}
