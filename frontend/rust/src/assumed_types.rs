//! The types that generic parameters are assumed to be where no call tells them.
//!
//! ```text
//! fn scale<T: Float>(a: &mut [T])             T = f64
//! fn fill<P: Pixel>(a: &mut [P], p: P)        P = Luma, the first type of the program that implements `Pixel`
//! fn sum(a: impl AsRef<[f64]>)                as its bound says
//! fn each<F: Fn(f64)>(a: &[f64], f: F)        nothing: `F` is code
//! ```
//!
//! A function that nothing calls has accesses all the same, whose sizes depend on these types. The same holds for a call
//! of which neither arguments nor context tell a parameter. The user may state the type (`--type T=f32`). What is assumed
//! is told with the results.

use crate::context::{ProgramContext, Substitution};
use crate::generic_inference::GenericBindings;
use crate::implementations::{bounds_of, trait_name};
use crate::item_index::{Function, type_parameters};
use crate::type_resolution::anonymous_parameter;
use crate::types::{GenericArg, Ty};
use premiss_ast::syntax::Name;
use std::collections::BTreeSet;
use syn::visit::Visit;
use syn::{GenericArgument, Generics, PathArguments, TypeParamBound};

/// The maximum number of types inside each other that are assumed for a parameter.
const MAX_DEPTH: usize = 4;

/// Traits of code.
const CODE: [&str; 3] = ["Fn", "FnMut", "FnOnce"];

/// Traits of which nothing is assumed: readers, writers, sequences and others that are no elements of arrays.
const NO_ELEMENTS: [&str; 26] = [
    "Read",
    "Write",
    "BufRead",
    "Seek",
    "Iterator",
    "IntoIterator",
    "DoubleEndedIterator",
    "ExactSizeIterator",
    "ParallelIterator",
    "IndexedParallelIterator",
    "Future",
    "Error",
    "Hasher",
    "BuildHasher",
    "Rng",
    "RngCore",
    "Distribution",
    "Serialize",
    "Serializer",
    "Deserialize",
    "Deserializer",
    "ToString",
    "FromStr",
    "AsRef",
    "Index",
    "IndexMut",
];

/// Traits that numbers with a fraction do not have.
const INTEGERS: [&str; 12] = [
    "PrimInt", "Integer", "Unsigned", "Ord", "Eq", "Hash", "BitAnd", "BitOr", "BitXor", "Shl",
    "Shr", "Not",
];

/// Traits of numbers: a parameter with one of them is a number, also if no element is of its type.
const NUMBERS: [&str; 24] = [
    "Float",
    "Real",
    "FloatCore",
    "Num",
    "NumCast",
    "NumAssign",
    "NumOps",
    "Zero",
    "One",
    "Signed",
    "Bounded",
    "FromPrimitive",
    "ToPrimitive",
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Rem",
    "Neg",
    "AddAssign",
    "SubAssign",
    "MulAssign",
    "DivAssign",
    "Sum",
];

impl ProgramContext<'_> {
    /// Adds the types that are assumed for the parameters of a function that have none, and returns them as text, as
    /// `T = f64`.
    pub(crate) fn assume_types(&self, function: usize, scope: &mut Substitution) -> Vec<Name> {
        let item = &self.index.functions[function];
        if !has_open_parameters(item, scope) {
            return Vec::new();
        }
        let mut assumed = Vec::new();
        let mut elements = Elements::default();
        if let Some(owner) = &item.owner {
            owner
                .self_type
                .iter()
                .for_each(|own| elements.visit_type(own));
            item.sig
                .inputs
                .iter()
                .for_each(|input| elements.visit_fn_arg(input));
            let names = &elements.names;
            self.assume_parameters((item, owner.generics), names, scope, &mut assumed);
            if owner.self_type.is_none()
                && scope.self_type.as_ref().is_none_or(Ty::is_unknown)
                && let Some(own) = self.implementing_type(&owner.name, 0)
            {
                assumed.push(format!("Self = {}", self.type_text(&own)).into());
                scope.self_type = Some(own);
            }
        }
        item.sig
            .inputs
            .iter()
            .for_each(|input| elements.visit_fn_arg(input));
        let generics = &item.sig.generics;
        self.assume_parameters((item, generics), &elements.names, scope, &mut assumed);
        for input in &item.sig.inputs {
            if let syn::FnArg::Typed(input) = input {
                self.assume_anonymous(&input.ty, scope, &mut assumed);
            }
        }
        assumed
    }

    fn assume_parameters(
        &self,
        (function, generics): (&Function, &Generics),
        elements: &BTreeSet<String>,
        scope: &mut Substitution,
        assumed: &mut Vec<Name>,
    ) {
        // The bounds of one may mention another that comes later.
        for _ in 0..2 {
            for name in type_parameters(generics) {
                if scope.types.contains_key(&name) {
                    continue;
                }
                let is_element = elements.contains(&name);
                let stated = stated_type(self, function, &name, scope);
                // A method may say more about a parameter of its `impl` or trait.
                let own = &function.sig.generics;
                let own = (!std::ptr::eq(own, generics)).then_some(own);
                let bounds = bounds_of(generics, &name);
                let bounds = bounds.chain(own.into_iter().flat_map(|own| bounds_of(own, &name)));
                let bounds: Vec<&TypeParamBound> = bounds.collect();
                let kind = stated.or_else(|| self.type_of_bounds(&bounds, is_element, scope, 0));
                if let Some(kind) = kind.filter(|kind| !self.is_open(kind)) {
                    assumed.push(format!("{name} = {}", self.type_text(&kind)).into());
                    scope.types.insert(name, kind);
                }
            }
        }
    }

    /// Assumes the type of an argument of type `impl Trait`, or of a reference to one, for a trait of the program.
    fn assume_anonymous(
        &self,
        kind: &syn::Type,
        scope: &mut Substitution,
        assumed: &mut Vec<Name>,
    ) {
        let bounds = match kind {
            syn::Type::Reference(inner) => {
                return self.assume_anonymous(&inner.elem, scope, assumed);
            }
            syn::Type::ImplTrait(bounds) => bounds,
            _ => return,
        };
        if scope.types.contains_key(&anonymous_parameter(bounds)) {
            return;
        }
        let all: Vec<&TypeParamBound> = bounds.bounds.iter().collect();
        let mut names = all.iter().filter_map(|bound| trait_name(bound));
        let Some(name) = names.find(|name| self.index.trait_of(name).is_some()) else {
            return;
        };
        let kind = self.type_of_bounds(&all, false, scope, 0);
        if let Some(kind) = kind.filter(|kind| !self.is_open(kind)) {
            assumed.push(format!("impl {name} = {}", self.type_text(&kind)).into());
            scope.types.insert(anonymous_parameter(bounds), kind);
        }
    }

    /// Whether a type has an unknown one as a part.
    fn is_open(&self, kind: &Ty) -> bool {
        match kind {
            Ty::Pointer(x)
            | Ty::Slice(x)
            | Ty::Vec(x)
            | Ty::Box(x)
            | Ty::Array(x, _)
            | Ty::NdArray(x, _) => self.is_open(x),
            Ty::Record(_, arguments) => arguments
                .iter()
                .any(|argument| matches!(argument, GenericArg::Type(kind) if self.is_open(kind))),
            kind => kind.is_unknown(),
        }
    }

    /// The type that is assumed for a parameter with these bounds.
    fn assumed_type(
        &self,
        generics: &Generics,
        name: &str,
        is_element: bool,
        scope: &Substitution,
        depth: usize,
    ) -> Option<Ty> {
        let bounds: Vec<&TypeParamBound> = bounds_of(generics, name).collect();
        self.type_of_bounds(&bounds, is_element, scope, depth)
    }

    /// The type that is assumed for what has these bounds.
    fn type_of_bounds(
        &self,
        bounds: &[&TypeParamBound],
        is_element: bool,
        scope: &Substitution,
        depth: usize,
    ) -> Option<Ty> {
        let names: Vec<String> = bounds
            .iter()
            .filter_map(|bound| trait_name(bound))
            .collect();
        let has = |list: &[&str]| names.iter().any(|name| list.contains(&name.as_str()));
        if MAX_DEPTH < depth || has(&CODE) {
            return None;
        }
        if let Some(kind) = bounds.iter().find_map(|bound| self.stated_by(bound, scope)) {
            return Some(kind);
        }
        let own = names
            .iter()
            .filter(|name| self.index.trait_of(name).is_some());
        let own: Vec<&String> = own.collect();
        if let Some(first) = own.first() {
            let stated = bound_of_trait(bounds, first);
            let arguments = stated.map_or(Vec::new(), |last| self.arguments(last, scope, 0));
            let kind = self.first_type(first, &arguments, depth, &mut |kind| {
                own.iter().all(|name| self.implements(kind, name, 0))
            });
            if kind.is_some() {
                return kind;
            }
        }
        let is_number = has(&NUMBERS) || has(&INTEGERS);
        if has(&NO_ELEMENTS) || !(is_element || is_number || 0 < depth) {
            return None;
        }
        match has(&INTEGERS) {
            true => Ty::primitive("i32"),
            false => Some(Ty::Float(8)),
        }
    }

    /// The type that a bound says: a slice for `AsRef<[f64]>`.
    fn stated_by(&self, bound: &TypeParamBound, scope: &Substitution) -> Option<Ty> {
        let TypeParamBound::Trait(bound) = bound else {
            return None;
        };
        let last = bound.path.segments.last()?;
        let PathArguments::AngleBracketed(list) = &last.arguments else {
            return None;
        };
        match (last.ident.to_string().as_str(), list.args.first()?) {
            ("AsRef" | "AsMut" | "Borrow" | "BorrowMut", GenericArgument::Type(kind)) => {
                Some(self.resolve(kind, scope).pointer())
            }
            ("Into", GenericArgument::Type(kind)) => {
                let kind = self.resolve(kind, scope);
                (kind.is_scalar() || matches!(kind, Ty::Vec(_))).then_some(kind)
            }
            ("Deref" | "DerefMut", GenericArgument::AssocType(target)) => {
                Some(self.resolve(&target.ty, scope).pointer())
            }
            // The storage of an array of `ndarray`, which stands for its elements here.
            ("Data" | "DataMut" | "DataOwned" | "RawData" | "RawDataMut", argument) => {
                match argument {
                    GenericArgument::AssocType(one) if one.ident == "Elem" => {
                        Some(self.resolve(&one.ty, scope)).filter(|kind| !kind.is_unknown())
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The first type of the program that implements a trait.
    fn implementing_type(&self, name: &str, depth: usize) -> Option<Ty> {
        self.first_type(name, &[], depth, &mut |_| true)
    }

    /// The values of the parameters of an `impl` for these arguments of its trait: `T = f32` of
    /// `impl<T> Load<T> for &[T]` for `Load<f32>`; `None` if it is for other arguments.
    fn scope_of_trait(&self, idx: usize, arguments: &[GenericArg]) -> Option<Substitution> {
        let implementation = &self.index.implementations[idx];
        let written = implementation
            .trait_path
            .and_then(|path| path.segments.last());
        let written = match written.map(|last| &last.arguments) {
            Some(PathArguments::AngleBracketed(list)) => list.args.iter(),
            _ => return Some(Substitution::default()),
        };
        let written = written.filter_map(|argument| match argument {
            GenericArgument::Type(kind) => Some(kind),
            _ => None,
        });
        let stated = arguments.iter().filter_map(|argument| match argument {
            GenericArg::Type(kind) => Some(kind),
            GenericArg::Value(_) => None,
        });
        let mut bound = GenericBindings::new(std::iter::once(implementation.generics));
        let pairs: Vec<(&syn::Type, &Ty)> = written.zip(stated).collect();
        for (written, kind) in &pairs {
            bound.learn(self, written, kind);
        }
        let is_same = |(written, kind): &(&syn::Type, &Ty)| {
            let found = self.resolve(written, &bound.scope);
            found.is_unknown() || kind.is_unknown() || found.key() == kind.key()
        };
        pairs.iter().all(is_same).then_some(bound.scope)
    }

    fn first_type(
        &self,
        name: &str,
        arguments: &[GenericArg],
        depth: usize,
        is_suitable: &mut dyn FnMut(&Ty) -> bool,
    ) -> Option<Ty> {
        let mut of_all = None;
        for idx in self.index.implementations_of(name).iter().copied() {
            let implementation = &self.index.implementations[idx];
            let parameters = &implementation.parameters;
            let Some(mut scope) = self.scope_of_trait(idx, arguments) else {
                continue;
            };
            for name in parameters {
                if scope.types.contains_key(name) {
                    continue;
                }
                let is_element = true;
                let generics = implementation.generics;
                let kind = self.assumed_type(generics, name, is_element, &scope, depth + 1);
                if let Some(kind) = kind {
                    scope.types.insert(name.clone(), kind);
                }
            }
            let kind = self.in_text(implementation.unit, |c| {
                c.resolve(implementation.self_type, &scope)
            });
            let is_for_all = matches!(self.implementing_types.get(idx), Some(Ty::Unknown(name)) if parameters.iter().any(|one| **one == **name));
            if self.is_open(&kind) || !is_suitable(&kind) {
                continue;
            }
            match is_for_all {
                false => return Some(kind),
                true => of_all = of_all.or(Some(kind)),
            }
        }
        of_all
    }

    /// A type as it is written, as far as this is short.
    pub(crate) fn type_text(&self, kind: &Ty) -> String {
        match kind {
            Ty::Int(kind) => format!("{}{}", if kind.signed { "i" } else { "u" }, kind.bits),
            Ty::Float(size) => format!("f{}", 8 * size),
            Ty::Bool => "bool".to_owned(),
            Ty::Char => "char".to_owned(),
            Ty::Enum(idx, _) => self.index.enumerations.list[*idx].name.clone(),
            Ty::Str => "str".to_owned(),
            Ty::Unit => "()".to_owned(),
            Ty::Pointer(inner) => format!("&{}", self.type_text(inner)),
            Ty::Slice(inner) => format!("[{}]", self.type_text(inner)),
            Ty::Array(inner, length) => {
                let length = crate::types::text_of(&length.0);
                format!("[{}; {length}]", self.type_text(inner))
            }
            Ty::Vec(inner) => format!("Vec<{}>", self.type_text(inner)),
            Ty::Box(inner) => format!("Box<{}>", self.type_text(inner)),
            Ty::Option(inner) => format!("Option<{}>", self.type_text(inner)),
            Ty::Record(record, arguments) => {
                let arguments = arguments.iter().map(|argument| match argument {
                    GenericArg::Type(kind) => self.type_text(kind),
                    GenericArg::Value(length) => crate::types::text_of(&length.0),
                });
                let arguments: Vec<String> = arguments.collect();
                let name = self.index.record_name(*record);
                match arguments.is_empty() {
                    true => name,
                    false => format!("{name}<{}>", arguments.join(", ")),
                }
            }
            Ty::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|x| self.type_text(x)).collect();
                format!("({})", parts.join(", "))
            }
            Ty::Unknown(name) | Ty::Simd(name, _) => name.to_string(),
            _ => "_".to_owned(),
        }
    }
}

/// Whether a function has a generic parameter of no value yet, as `T` or `impl Trait`, or is a trait's of no type yet.
fn has_open_parameters(item: &Function, scope: &Substitution) -> bool {
    let is_open = |name: String| !scope.types.contains_key(&name);
    let owner = item.owner.as_ref();
    let of_owner = owner.map(|owner| owner.generics);
    let mut all = of_owner.into_iter().chain([&item.sig.generics]);
    let mut inputs = item.sig.inputs.iter();
    all.any(|generics| type_parameters(generics).any(is_open))
        || inputs.any(|input| match input {
            syn::FnArg::Typed(input) => is_anonymous(&input.ty),
            syn::FnArg::Receiver(_) => false,
        })
        || owner.is_some_and(|owner| owner.self_type.is_none())
            && scope.self_type.as_ref().is_none_or(Ty::is_unknown)
}

/// Whether a type is `impl Trait`, or a reference to one.
fn is_anonymous(kind: &syn::Type) -> bool {
    match kind {
        syn::Type::Reference(inner) => is_anonymous(&inner.elem),
        kind => matches!(kind, syn::Type::ImplTrait(_)),
    }
}

/// The type that the user states for a parameter of a function.
fn stated_type(
    program: &ProgramContext,
    function: &Function,
    name: &str,
    scope: &Substitution,
) -> Option<Ty> {
    let own = format!("{}::{name}", function.name);
    let kind = program.stated_types.get(&own);
    let kind = kind.or_else(|| program.stated_types.get(name))?;
    Some(program.resolve(kind, scope))
}

/// The bound by the trait of this name: its last name, with its arguments.
fn bound_of_trait<'b>(bounds: &[&'b TypeParamBound], name: &str) -> Option<&'b syn::PathSegment> {
    bounds.iter().find_map(|bound| match bound {
        TypeParamBound::Trait(bound) => {
            let last = bound.path.segments.last()?;
            (last.ident == name).then_some(last)
        }
        _ => None,
    })
}

/// The names that occur within another type: those of elements.
#[derive(Default)]
struct Elements {
    names: BTreeSet<String>,
    depth: usize,
}

impl<'a> Visit<'a> for Elements {
    fn visit_type(&mut self, kind: &'a syn::Type) {
        if let syn::Type::Path(path) = kind
            && let Some(name) = path.path.get_ident()
            && 0 < self.depth
        {
            self.names.insert(name.to_string());
        }
        // A reference to a parameter is no element.
        let is_around = !matches!(kind, syn::Type::Reference(_));
        self.depth += usize::from(is_around);
        syn::visit::visit_type(self, kind);
        self.depth -= usize::from(is_around);
    }
}
