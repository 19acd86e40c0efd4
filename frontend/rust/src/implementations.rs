//! What a type has by its `impl`s and by the traits that it implements: methods, associated functions and associated
//! types.
//!
//! ```text
//! impl Shift for i32 { fn shift(self) -> i32 { … } }      3i32.shift() is `shift` of that `impl`
//! trait Area { fn twice(&self) -> f64 { … } }             s.twice(), if the type of `s` implements `Area`
//! impl Pixel for Luma { type Part = u8; }                 P::Part is `u8` where `P` is `Luma`
//! ```
//!
//! An `impl` of a type itself goes before those of traits, and those of a type before those of all types with some
//! trait (the Rust reference, "Method-call expressions").

use crate::ast_builder;
use crate::context::{ProgramContext, Substitution};
use crate::generic_inference::{GenericBindings, written_type};
use crate::item_index::type_parameters;
use crate::types::{ArrayLength, GenericArg, SOME_FLOAT, SOME_INTEGER, Ty};
use std::collections::BTreeMap;
use std::sync::Arc;
use syn::{GenericParam, Generics, TypeParamBound};

/// The maximum number of implementations for all types whose bounds are looked at for one another.
const MAX_BOUNDS: usize = 4;

/// How an `impl` fits a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// It is for this type, or for all types of its kind, as `impl<T> Trait for Vec<T>`.
    OfType,
    /// It is for all types: `impl<T> Trait for T`.
    OfAll,
}

/// Whether a reference to a type differs from the type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum References {
    Ignored,
    Compared,
}

impl ProgramContext<'_> {
    /// The types `Self` of all implementations, in which generic parameters are unknown types of their names.
    pub(crate) fn resolve_implementations(&mut self) {
        for idx in 0..self.index.implementations.len() {
            let implementation = &self.index.implementations[idx];
            let mut scope = Substitution::default();
            for name in &implementation.parameters {
                let open = Ty::Unknown(name.as_str().into());
                scope.types.insert(name.clone(), open);
            }
            let own = self.in_text(implementation.unit, |c| {
                c.resolve(implementation.self_type, &scope)
            });
            self.implementing_types.push(own);
        }
    }

    /// The function of this name that a type has; `of_trait` is the trait that must declare it, if one is stated.
    pub(crate) fn function_of_type(
        &self,
        kind: &Ty,
        name: &str,
        of_trait: Option<&str>,
    ) -> Option<usize> {
        self.only_function(&functions_of_type(self, kind, name, of_trait))
    }

    /// The function that some of equal rank are: the one whose trait the text imports, if there is only one, or any of
    /// those that are the same up to mutability, as in `impl Load for &[f64]` and `impl Load for &mut [f64]`.
    fn only_function(&self, all: &[usize]) -> Option<usize> {
        if let [only] = all {
            return Some(*only);
        }
        let is_imported =
            |function: &usize| self.is_imported(self.index.implementation_of(*function));
        let imported: Vec<usize> = all.iter().copied().filter(is_imported).collect();
        let (first, others) = match imported.is_empty() {
            true => all.split_first()?,
            false => imported.split_first()?,
        };
        let is_same = |other: &usize| {
            let of_trait = |function| {
                let idx = self.index.implementation_of(function)?;
                self.index.implementations[idx].of_trait.as_deref()
            };
            of_trait(*first).is_some()
                && of_trait(*first) == of_trait(*other)
                && self.index.do_the_same(*first, *other)
        };
        others.iter().all(is_same).then_some(*first)
    }

    /// Whether the text being resolved imports the trait of an implementation.
    fn is_imported(&self, implementation: Option<usize>) -> bool {
        let of_trait = implementation.and_then(|idx| {
            let one = &self.index.implementations[idx];
            one.of_trait.as_deref()
        });
        of_trait.is_some_and(|name| self.index.is_in_scope(self.text_unit.get(), name))
    }

    /// The associated constant of this name of a type.
    pub(crate) fn constant_of_type(&self, kind: &Ty, name: &str) -> Option<usize> {
        let all = self.index.associated_constants(name).iter().copied();
        let implementation = |constant: usize| {
            let owner = self.index.constants[constant].owner.as_ref();
            owner.and_then(|owner| owner.implementation)
        };
        let fitting = all.filter(|constant| {
            let idx = implementation(*constant);
            idx.is_some_and(|idx| self.fit(idx, kind.peeled(), 0) == Some(Fit::OfType))
        });
        let fitting: Vec<usize> = fitting.collect();
        let imported = fitting.iter().copied();
        let mut imported = imported.filter(|one| self.is_imported(implementation(*one)));
        match (fitting.as_slice(), imported.next(), imported.next()) {
            ([only], _, _) => Some(*only),
            (_, Some(only), None) => Some(only),
            _ => None,
        }
    }

    /// The associated type of this name of a type: `Part` of `Luma`.
    pub(crate) fn associated_type(&self, kind: &Ty, name: &str, of_trait: Option<&str>) -> Ty {
        let kind = kind.peeled();
        let mut best: Option<((bool, Fit), usize)> = None;
        for (idx, implementation) in self.index.implementations.iter().enumerate() {
            let is_stated = of_trait.is_none() || of_trait == implementation.of_trait.as_deref();
            if !is_stated || !implementation.types.contains_key(name) {
                continue;
            }
            let fit = self.fit(idx, kind, 0);
            let rank = fit.map(|fit| (!self.is_imported(Some(idx)), fit));
            if let Some(rank) = rank
                && best.is_none_or(|(best, _)| rank < best)
            {
                best = Some((rank, idx));
            }
        }
        if let Some((_, idx)) = best {
            let implementation = &self.index.implementations[idx];
            let scope = self.scope_of_implementation(idx, kind);
            return self.in_text(implementation.unit, |c| {
                c.resolve(implementation.types[name], &scope)
            });
        }
        match name {
            // The result of an operator on numbers.
            "Output" if kind.is_scalar() => kind.clone(),
            _ => Ty::Unknown(name.into()),
        }
    }

    /// The values of the generic parameters of an `impl` for a type.
    pub(crate) fn scope_of_implementation(&self, idx: usize, kind: &Ty) -> Substitution {
        let implementation = &self.index.implementations[idx];
        let mut bound = GenericBindings::new(std::iter::once(implementation.generics));
        bound.learn(self, implementation.self_type, kind);
        let mut scope = bound.scope;
        for (name, value) in bound.constants {
            scope.values.insert(name, Arc::new(value));
        }
        scope.self_type = Some(kind.clone());
        scope
    }

    /// The generic arguments of the `impl` or trait of a function, for the type that it is called on.
    pub(crate) fn arguments_of_owner(&self, function: usize, kind: &Ty) -> Vec<GenericArg> {
        let owner = self.index.functions[function].owner.as_ref();
        let Some((owner, idx)) = owner.and_then(|owner| Some((owner, owner.implementation?)))
        else {
            return Vec::new();
        };
        let scope = self.scope_of_implementation(idx, kind.peeled());
        let parameters = owner.generics.params.iter();
        let arguments = parameters.filter_map(|parameter| match parameter {
            GenericParam::Type(parameter) => {
                let kind = scope.types.get(&parameter.ident.to_string());
                Some(GenericArg::Type(kind.cloned().unwrap_or_else(Ty::unknown)))
            }
            GenericParam::Const(parameter) => {
                let value = scope.values.get(&parameter.ident.to_string()).cloned();
                let name = parameter.ident.to_string();
                let value = value
                    .unwrap_or_else(|| Arc::new(crate::type_resolution::named_constant(&name)));
                Some(GenericArg::Value(ArrayLength(value)))
            }
            GenericParam::Lifetime(_) => None,
        });
        arguments.collect()
    }

    /// Whether a type implements a trait of the program.
    pub(crate) fn implements(&self, kind: &Ty, name: &str, depth: usize) -> bool {
        let mut all = self.index.implementations_of(name).iter();
        all.any(|idx| self.fit(*idx, kind, depth).is_some())
    }

    /// How an `impl` fits a type, if it does.
    fn fit(&self, idx: usize, kind: &Ty, depth: usize) -> Option<Fit> {
        let own = self.implementing_types.get(idx)?.peeled();
        let generics = self.index.implementations[idx].generics;
        let parameters = &self.index.implementations[idx].parameters;
        let is_parameter = |name: &str| parameters.iter().any(|one| one == name);
        if let Ty::Unknown(name) = own
            && is_parameter(name)
        {
            let holds = depth < MAX_BOUNDS
                && !kind.is_unknown()
                && bounds_of(generics, name).all(|bound| match trait_name(bound) {
                    Some(name) if self.index.trait_of(&name).is_some() => {
                        self.implements(kind, &name, depth + 1)
                    }
                    Some(name) => !(kind.is_scalar() && NOT_OF_NUMBERS.contains(&name.as_str())),
                    None => true,
                });
            return holds.then_some(Fit::OfAll);
        }
        fits(own, kind, &is_parameter, 0).then_some(Fit::OfType)
    }
}

/// As [`ProgramContext::function_of_type`], for arguments of these types, the receiver included, and a result of a type:
/// `v * 2.0` is `mul` of `impl Mul<f64> for Vector`, `v * w` that of `impl Mul for Vector`.
pub(crate) fn function_of_call(
    program: &ProgramContext,
    kind: &Ty,
    (name, of_trait): (&str, Option<&str>),
    arguments: &[Ty],
    result: Option<&Ty>,
) -> Option<usize> {
    let mut all = functions_of_type(program, kind, name, of_trait).to_vec();
    if 1 < all.len() {
        all.retain(|function| accepts(program, *function, kind, arguments, References::Ignored));
    }
    if 1 < all.len()
        && all
            .iter()
            .any(|one| accepts(program, *one, kind, arguments, References::Compared))
    {
        all.retain(|function| accepts(program, *function, kind, arguments, References::Compared));
    }
    if let (true, Some(result)) = (1 < all.len(), result) {
        all.retain(|function| yields(program, *function, kind, result));
    }
    program.only_function(&all)
}

/// Whether a function may be called with arguments of these types.
fn accepts(
    program: &ProgramContext,
    function: usize,
    kind: &Ty,
    arguments: &[Ty],
    references: References,
) -> bool {
    let item = &program.index.functions[function];
    if item.sig.inputs.len() != arguments.len() {
        return false;
    }
    item.sig
        .inputs
        .iter()
        .zip(arguments)
        .all(|(input, kind_of_argument)| {
            let Some(written) = written_type(input) else {
                return true;
            };
            is_of_type(
                program,
                function,
                kind,
                written,
                kind_of_argument,
                references,
            )
        })
}

/// Whether the result of a function may be of a type.
fn yields(program: &ProgramContext, function: usize, kind: &Ty, result: &Ty) -> bool {
    match &program.index.functions[function].sig.output {
        syn::ReturnType::Type(_, written) => is_of_type(
            program,
            function,
            kind,
            written,
            result,
            References::Ignored,
        ),
        syn::ReturnType::Default => *result == Ty::Unit,
    }
}

/// Whether a value of a type may have the type that is written in the signature of a function of `kind`.
fn is_of_type(
    program: &ProgramContext,
    function: usize,
    kind: &Ty,
    written: &syn::Type,
    found: &Ty,
    references: References,
) -> bool {
    if found.is_unknown() {
        return true;
    }
    let item = &program.index.functions[function];
    let Some(idx) = item.owner.as_ref().and_then(|owner| owner.implementation) else {
        return true;
    };
    let generics = program.index.implementations[idx].generics;
    let parameters = type_parameters(generics).chain(type_parameters(&item.sig.generics));
    let parameters: Vec<String> = parameters.collect();
    let mut scope = program.scope_of_implementation(idx, kind.peeled());
    for name in &parameters {
        let open = || Ty::Unknown(name.as_str().into());
        scope.types.entry(name.clone()).or_insert_with(open);
    }
    let own = program.in_text(item.unit, |c| c.resolve(written, &scope));
    let is_open = |name: &str| parameters.iter().any(|one| one == name);
    let is_reference = |kind: &Ty| matches!(kind, Ty::Pointer(_));
    let has_same_form =
        references == References::Ignored || is_reference(&own) == is_reference(found);
    has_same_form && fits(own.peeled(), found.peeled(), &is_open, 0)
}

/// The functions that types have, by name and trait and by the keys of the types, as far as they have been asked for.
pub(crate) type FunctionsOfTypes =
    BTreeMap<(String, Option<String>), BTreeMap<String, Arc<[usize]>>>;

/// The functions of this name that a type has, of those that fit it best.
pub(crate) fn functions_of_type(
    program: &ProgramContext,
    kind: &Ty,
    name: &str,
    of_trait: Option<&str>,
) -> Arc<[usize]> {
    if program.index.functions_named(name).is_empty() {
        return Arc::default();
    }
    let kind = kind.peeled();
    let (called, key) = ((name.to_owned(), of_trait.map(str::to_owned)), kind.key());
    let asked = program.functions_of_types.borrow();
    if let Some(all) = asked.get(&called).and_then(|all| all.get(&key)) {
        return all.clone();
    }
    drop(asked);
    let all: Arc<[usize]> = best_functions(program, kind, name, of_trait).into();
    let mut asked = program.functions_of_types.borrow_mut();
    asked.entry(called).or_default().insert(key, all.clone());
    all
}

fn best_functions(
    program: &ProgramContext,
    kind: &Ty,
    name: &str,
    of_trait: Option<&str>,
) -> Vec<usize> {
    let named = program.index.functions_named(name).iter().copied();
    let mut ranked: Vec<((bool, Fit), usize)> = Vec::new();
    let mut provided = Vec::new();
    for function in named {
        let Some(owner) = &program.index.functions[function].owner else {
            continue;
        };
        match owner.implementation {
            Some(idx) => {
                let trait_name = program.index.implementations[idx].of_trait.as_deref();
                if of_trait.is_none() || of_trait == trait_name {
                    let fit = program.fit(idx, kind, 0);
                    ranked.extend(fit.map(|fit| ((trait_name.is_some(), fit), function)));
                }
            }
            None if of_trait.is_none_or(|stated| stated == owner.name) => {
                provided.push((owner.name.clone(), function));
            }
            None => {}
        }
    }
    if let Some(best) = ranked.iter().map(|(rank, _)| *rank).min() {
        let all = ranked.iter().filter(|(rank, _)| *rank == best);
        return all.map(|(_, function)| *function).collect();
    }
    let mut provided = provided
        .into_iter()
        .filter(|(name, _)| program.implements(kind, name, 0));
    match (provided.next(), provided.next()) {
        (Some((_, only)), None) => vec![only],
        _ => Vec::new(),
    }
}

/// Traits of the library that no number has.
const NOT_OF_NUMBERS: [&str; 8] = [
    "Iterator",
    "IntoIterator",
    "Deref",
    "DerefMut",
    "AsRef",
    "AsMut",
    "Index",
    "IndexMut",
];

/// Whether a type is one of those that an `impl` is for, up to its generic parameters.
fn fits(own: &Ty, kind: &Ty, is_parameter: &dyn Fn(&str) -> bool, depth: usize) -> bool {
    /// The maximum depth to which types are compared.
    const MAX_DEPTH: usize = 20;
    let inner = |a: &Ty, b: &Ty| fits(a, b, is_parameter, depth + 1);
    if MAX_DEPTH < depth || (0 < depth && kind.is_unknown()) {
        return true;
    }
    match (own, kind) {
        (Ty::Unknown(name), _) if is_parameter(name) => true,
        (Ty::Unknown(a), Ty::Unknown(b)) => a == b && &**a != "_",
        (Ty::Array(a, own), Ty::Array(b, length)) => !differ(own, length) && inner(a, b),
        (Ty::Slice(a) | Ty::Array(a, _), Ty::Slice(b) | Ty::Array(b, _) | Ty::Vec(b)) => {
            inner(a, b)
        }
        (Ty::Vec(a), Ty::Vec(b))
        | (Ty::Box(a), Ty::Box(b))
        | (Ty::Pointer(a), Ty::Pointer(b))
        | (Ty::Option(a), Ty::Option(b))
        | (Ty::Range(a), Ty::Range(b)) => inner(a, b),
        (Ty::NdArray(a, m), Ty::NdArray(b, n)) => m == n && inner(a, b),
        (Ty::Tuple(a), Ty::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| inner(a, b))
        }
        (Ty::Record(a, own), Ty::Record(b, arguments)) => {
            a == b
                && own.iter().zip(&**arguments).all(|pair| match pair {
                    (GenericArg::Type(a), GenericArg::Type(b)) => inner(a, b),
                    (GenericArg::Value(a), GenericArg::Value(b)) => !differ(a, b),
                    _ => true,
                })
        }
        (own, kind) if *kind == SOME_INTEGER => Some(own) == Ty::primitive("i32").as_ref(),
        (own, kind) if *kind == SOME_FLOAT => *own == Ty::Float(8),
        (own, kind) => own == kind,
    }
}

/// Whether two lengths are different numbers.
fn differ(a: &ArrayLength, b: &ArrayLength) -> bool {
    let number = |length: &ArrayLength| ast_builder::as_integer(&length.0);
    matches!((number(a), number(b)), (Some(a), Some(b)) if a != b)
}

/// The bounds of a type parameter, where it is declared and in the `where` clause.
pub(crate) fn bounds_of<'g>(
    generics: &'g Generics,
    name: &str,
) -> impl Iterator<Item = &'g TypeParamBound> {
    let declared = generics.params.iter().filter_map({
        let name = name.to_owned();
        move |parameter| match parameter {
            GenericParam::Type(parameter) if parameter.ident == name => Some(&parameter.bounds),
            _ => None,
        }
    });
    let clauses = generics
        .where_clause
        .iter()
        .flat_map(|clause| &clause.predicates);
    let stated = clauses.filter_map({
        let name = name.to_owned();
        move |predicate| match predicate {
            syn::WherePredicate::Type(one) => match &one.bounded_ty {
                syn::Type::Path(path) if path.path.is_ident(&name) => Some(&one.bounds),
                _ => None,
            },
            _ => None,
        }
    });
    declared.chain(stated).flatten()
}

/// The last name of the trait of a bound.
pub(crate) fn trait_name(bound: &TypeParamBound) -> Option<String> {
    match bound {
        TypeParamBound::Trait(bound) => {
            let last = bound.path.segments.last()?;
            Some(last.ident.to_string())
        }
        _ => None,
    }
}
