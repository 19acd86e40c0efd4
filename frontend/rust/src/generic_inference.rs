//! Infers the generic arguments of a function from a call.

use crate::context::{ProgramContext, Substitution};
use crate::type_resolution::anonymous_parameter;
use crate::types::{GenericArg, Ty};
use premiss_ast::syntax::Expression;
use std::collections::BTreeSet;
use syn::{Expr, FnArg, GenericArgument, GenericParam, PathArguments, Type};

/// The maximum depth to which types are compared.
const MAX_DEPTH: usize = 20;

/// The generic parameters of a function, with what is known about them.
#[derive(Default)]
pub(crate) struct GenericBindings {
    types: BTreeSet<String>,
    values: BTreeSet<String>,
    pub(crate) scope: Substitution,
    /// Constants in terms of the caller.
    pub(crate) constants: Vec<(String, Expression)>,
}

impl GenericBindings {
    /// The generic parameters of some items.
    pub(crate) fn new<'g>(generics: impl Iterator<Item = &'g syn::Generics>) -> Self {
        let mut bound = Self::default();
        for parameter in generics.flat_map(|generics| &generics.params) {
            match parameter {
                GenericParam::Type(parameter) => {
                    bound.types.insert(parameter.ident.to_string());
                }
                GenericParam::Const(parameter) => {
                    bound.values.insert(parameter.ident.to_string());
                }
                GenericParam::Lifetime(_) => {}
            }
        }
        bound
    }

    /// Takes a name for a type parameter, too.
    pub(crate) fn add_type(&mut self, name: &str) {
        self.types.insert(name.to_owned());
    }

    /// Infers that `Self` is a type.
    pub(crate) fn learn_self(&mut self, kind: &Ty) {
        if !kind.is_unknown() {
            self.scope
                .types
                .entry("Self".to_owned())
                .or_insert_with(|| kind.clone());
        }
    }

    /// Infers from a type as written and the corresponding type in the call.
    pub(crate) fn learn(&mut self, ctx: &ProgramContext, written: &Type, found: &Ty) {
        self.learn_at(ctx, written, found, 0);
    }

    fn learn_at(&mut self, ctx: &ProgramContext, written: &Type, found: &Ty, depth: usize) {
        if MAX_DEPTH < depth {
            return;
        }
        match (written, found) {
            (Type::Paren(inner), _) => self.learn_at(ctx, &inner.elem, found, depth + 1),
            (Type::Group(inner), _) => self.learn_at(ctx, &inner.elem, found, depth + 1),
            (Type::Reference(inner), Ty::Pointer(found)) => {
                self.learn_at(ctx, &inner.elem, found, depth + 1);
            }
            (Type::Reference(inner), found) => self.learn_at(ctx, &inner.elem, found, depth + 1),
            (Type::Ptr(inner), Ty::Pointer(found)) => {
                self.learn_at(ctx, &inner.elem, found, depth + 1);
            }
            (Type::Slice(inner), Ty::Slice(found) | Ty::Vec(found) | Ty::Array(found, _)) => {
                self.learn_at(ctx, &inner.elem, found, depth + 1);
            }
            (Type::Array(inner), Ty::Array(found, length)) => {
                if let Expr::Path(path) = &inner.len
                    && let Some(name) = path.path.get_ident()
                {
                    self.constant(&name.to_string(), length.expression());
                }
                self.learn_at(ctx, &inner.elem, found, depth + 1);
            }
            (Type::Tuple(inner), Ty::Tuple(found)) => {
                for (inner, found) in inner.elems.iter().zip(found) {
                    self.learn_at(ctx, inner, found, depth + 1);
                }
            }
            (Type::ImplTrait(bounds), found) if !found.is_unknown() => {
                let name = anonymous_parameter(bounds);
                self.scope
                    .types
                    .entry(name)
                    .or_insert_with(|| found.clone());
            }
            (Type::Path(path), found) => self.learn_path(ctx, &path.path, found, depth),
            _ => {}
        }
    }

    fn learn_path(&mut self, ctx: &ProgramContext, path: &syn::Path, found: &Ty, depth: usize) {
        if let Some(name) = path.get_ident() {
            let name = name.to_string();
            if self.types.contains(&name) && !found.is_unknown() {
                let known = self.scope.types.get(&name);
                if known.is_none_or(Ty::is_weak) {
                    self.scope.types.insert(name, found.clone());
                }
                return;
            }
        }
        let Some(last) = path.segments.last() else {
            return;
        };
        let PathArguments::AngleBracketed(list) = &last.arguments else {
            return;
        };
        if ctx.index.record_of(&last.ident.to_string()).is_none()
            && let Some(alias) = ctx.index.alias(&last.ident.to_string())
        {
            return self.learn_alias(ctx, (alias, list), found, depth);
        }
        let inner: Vec<GenericArg> = match found {
            Ty::Vec(inner) | Ty::Box(inner) | Ty::Option(inner) | Ty::NdArray(inner, _) => {
                vec![GenericArg::Type((**inner).clone())]
            }
            Ty::Record(_, arguments) => arguments.to_vec(),
            // A complex number is a pair of its parts.
            Ty::Tuple(parts) => match parts.as_slice() {
                [part, _] => vec![GenericArg::Type(part.clone())],
                _ => return,
            },
            _ => return,
        };
        let is_lifetime = |a: &&GenericArgument| matches!(a, GenericArgument::Lifetime(_));
        let written = list.args.iter().filter(|a| !is_lifetime(a));
        for (written, found) in written.zip(&inner) {
            match (written, found) {
                (GenericArgument::Type(written), GenericArg::Type(found)) => {
                    self.learn_at(ctx, written, found, depth + 1);
                }
                (GenericArgument::Type(Type::Path(path)), GenericArg::Value(value)) => {
                    if let Some(name) = path.path.get_ident() {
                        self.constant(&name.to_string(), value.expression());
                    }
                }
                _ => {}
            }
        }
    }

    /// Infers from an alias with its arguments: of `type View<'a, T> = Base<T, &'a [T]>`, `View<N>` says the same as
    /// `Base<N, &[N]>`.
    fn learn_alias(
        &mut self,
        ctx: &ProgramContext,
        ((generics, kind), list): (
            (&syn::Generics, &Type),
            &syn::AngleBracketedGenericArguments,
        ),
        found: &Ty,
        depth: usize,
    ) {
        let mut inner = Self::new(std::iter::once(generics));
        inner.learn_at(ctx, kind, found, depth + 1);
        let is_lifetime = |p: &&GenericParam| matches!(p, GenericParam::Lifetime(_));
        let parameters = generics.params.iter().filter(|p| !is_lifetime(p));
        let is_lifetime = |a: &&GenericArgument| matches!(a, GenericArgument::Lifetime(_));
        let written = list.args.iter().filter(|a| !is_lifetime(a));
        for (parameter, written) in parameters.zip(written) {
            match (parameter, written) {
                (GenericParam::Type(parameter), GenericArgument::Type(written)) => {
                    if let Some(found) = inner.scope.types.get(&parameter.ident.to_string()) {
                        self.learn_at(ctx, written, found, depth + 1);
                    }
                }
                (GenericParam::Const(parameter), GenericArgument::Type(Type::Path(path))) => {
                    let mut constants = inner.constants.iter();
                    let value = constants.find(|(name, _)| parameter.ident == name);
                    if let (Some((_, value)), Some(name)) = (value, path.path.get_ident()) {
                        self.constant(&name.to_string(), value.clone());
                    }
                }
                _ => {}
            }
        }
    }

    fn constant(&mut self, name: &str, value: Expression) {
        let is_known = self.constants.iter().any(|(known, _)| known == name);
        if self.values.contains(name) && !is_known {
            self.constants.push((name.to_owned(), value));
        }
    }

    /// Sets the arguments stated in angle brackets.
    pub(crate) fn state(&mut self, generics: &syn::Generics, stated: &[GenericArg]) {
        let is_lifetime = |p: &&GenericParam| matches!(p, GenericParam::Lifetime(_));
        let parameters = generics.params.iter().filter(|p| !is_lifetime(p));
        for (parameter, stated) in parameters.zip(stated) {
            match (parameter, stated) {
                (GenericParam::Type(parameter), GenericArg::Type(kind)) if !kind.is_unknown() => {
                    let name = parameter.ident.to_string();
                    self.scope.types.insert(name, kind.clone());
                }
                (GenericParam::Const(parameter), GenericArg::Value(value)) => {
                    self.constant(&parameter.ident.to_string(), value.expression());
                }
                _ => {}
            }
        }
    }
}

/// The type of a parameter as written; `None` for `self`.
pub(crate) fn written_type(argument: &FnArg) -> Option<&Type> {
    match argument {
        FnArg::Receiver(_) => None,
        FnArg::Typed(typed) => Some(&typed.ty),
    }
}
