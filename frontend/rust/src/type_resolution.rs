//! Resolves types as written.

use crate::ast_builder::{binary, cast, integer, name, unary};
use crate::context::{ProgramContext, Substitution};
use crate::types::{ArrayLength, GenericArg, LARGEST, Ty};
use premiss_ast::syntax::{Binary, Expression, TextRange, Unary, UnitId};
use std::cell::Cell;
use std::sync::Arc;
use syn::{Expr, GenericArgument, Path, PathArguments, Type};

/// The maximum length of a chain of type aliases.
const MAX_ALIASES: usize = 40;
/// The maximum number of parts of a type.
pub(crate) const MAX_PARTS: usize = 256;
/// The maximum number of types that are resolved for one.
const MAX_STEPS: usize = 10_000;
/// The maximum number of types inside each other that are being resolved.
const MAX_OPEN: usize = 400;
/// The maximum number of operations in a length.
const MAX_LENGTH: usize = 100;

/// What is left of the budget of the types that are being resolved.
#[derive(Debug, Default)]
pub(crate) struct ResolutionBudget {
    n_open: Cell<usize>,
    n_steps: Cell<usize>,
}

/// A type that is being resolved.
struct OpenType<'b>(&'b ResolutionBudget);

impl ResolutionBudget {
    /// Begins to resolve a type; `None` if the budget is exhausted.
    fn enter(&self) -> Option<OpenType<'_>> {
        if self.n_open.get() == 0 {
            self.n_steps.set(0);
        }
        if MAX_OPEN <= self.n_open.get() || MAX_STEPS <= self.n_steps.get() {
            return None;
        }
        self.n_open.set(self.n_open.get() + 1);
        self.n_steps.set(self.n_steps.get() + 1);
        Some(OpenType(self))
    }
}

impl Drop for OpenType<'_> {
    fn drop(&mut self) {
        self.0.n_open.set(self.0.n_open.get() - 1);
    }
}

impl ProgramContext<'_> {
    /// The type that is written there.
    pub(crate) fn resolve(&self, kind: &Type, scope: &Substitution) -> Ty {
        self.resolve_at(kind, scope, 0)
    }

    /// As [`Self::resolve`], within the budget of the outermost type that is being resolved: an alias may stand for
    /// twice as much as the one that it mentions twice, and so on.
    fn resolve_at(&self, kind: &Type, scope: &Substitution, depth: usize) -> Ty {
        let Some(open) = self.resolution.enter() else {
            return Ty::too_large();
        };
        let found = match depth <= MAX_ALIASES {
            true => self.resolve_within(kind, scope, depth),
            false => Ty::unknown(),
        };
        drop(open);
        let has_large_part = match &found {
            Ty::Tuple(parts) => parts.iter().any(Ty::is_too_large),
            Ty::Array(element, _) => element.is_too_large(),
            _ => false,
        };
        match has_large_part || found.is_larger(MAX_PARTS) {
            true => Ty::too_large(),
            false => found,
        }
    }

    fn resolve_within(&self, kind: &Type, scope: &Substitution, depth: usize) -> Ty {
        let inner = |kind: &Type| self.resolve_at(kind, scope, depth + 1);
        match kind {
            Type::Array(array) => {
                let length = constant(&array.len, scope);
                Ty::Array(Arc::new(inner(&array.elem)), ArrayLength(Arc::new(length)))
            }
            Type::Slice(slice) => Ty::Slice(Arc::new(inner(&slice.elem))),
            Type::Reference(reference) => inner(&reference.elem).pointer(),
            Type::Ptr(pointer) => inner(&pointer.elem).pointer(),
            Type::Tuple(tuple) if tuple.elems.is_empty() => Ty::Unit,
            Type::Tuple(tuple) => Ty::Tuple(tuple.elems.iter().map(inner).collect()),
            Type::Paren(paren) => inner(&paren.elem),
            Type::Group(group) => inner(&group.elem),
            Type::Never(_) => Ty::Never,
            Type::Path(path) => match &path.qself {
                None => self.named_type(&path.path, scope, depth),
                Some(own) => {
                    let own_type = inner(&own.ty);
                    let mut names = path.path.segments.iter().map(|x| x.ident.to_string());
                    let of_trait = own.position.checked_sub(1).and_then(|idx| names.nth(idx));
                    match names.next() {
                        Some(name) => self.associated_type(&own_type, &name, of_trait.as_deref()),
                        None => Ty::unknown(),
                    }
                }
            },
            Type::ImplTrait(bounds) => {
                if let Some(kind) = scope.types.get(&anonymous_parameter(bounds)) {
                    return kind.clone();
                }
                let mut bounds = bounds.bounds.iter();
                let sequence = bounds.find_map(|bound| self.sequence(bound, scope, depth));
                sequence.unwrap_or_else(Ty::unknown)
            }
            _ => Ty::unknown(),
        }
    }

    /// The type for `impl AsRef<[T]>`, `impl Into<Vec<T>>` and similar.
    fn sequence(
        &self,
        bound: &syn::TypeParamBound,
        scope: &Substitution,
        depth: usize,
    ) -> Option<Ty> {
        let syn::TypeParamBound::Trait(bound) = bound else {
            return None;
        };
        let last = bound.path.segments.last()?;
        match last.ident.to_string().as_str() {
            "AsRef" | "AsMut" | "Deref" | "DerefMut" | "Borrow" => {
                let inner = self.type_arguments(last, scope, depth).into_iter().next()?;
                Some(inner.pointer())
            }
            _ => None,
        }
    }

    fn named_type(&self, path: &Path, scope: &Substitution, depth: usize) -> Ty {
        let Some(last) = path.segments.last() else {
            return Ty::unknown();
        };
        let name = last.ident.to_string();
        if path.segments.len() == 1 {
            if let Some(kind) = scope.types.get(&name) {
                return kind.clone();
            }
            if name == "Self" {
                return scope.self_type.clone().unwrap_or_else(Ty::unknown);
            }
        }
        if let Some(kind) = self.projected_type(path, scope) {
            return kind;
        }
        if let Some(record) = self.index.record_from(self.text_unit.get(), &name) {
            let arguments = self.arguments(last, scope, depth);
            let kind = Ty::Record(record, arguments.into());
            return match kind.is_larger(LARGEST) {
                true => Ty::Unknown(name.into()),
                false => kind,
            };
        }
        if let Some((generics, kind)) = self.index.alias(&name) {
            let arguments = self.arguments(last, scope, depth);
            let inner = self.scope_of(generics, &arguments);
            return self.resolve_at(kind, &inner, depth + 1);
        }
        if let Some(idx) = self.index.enumerations.of_name(&name)
            && let Some(kind) = self.index.enumerations.list[idx].representation
        {
            return Ty::Enum(idx, kind);
        }
        if let Some(kind) = Ty::primitive(&name) {
            return kind;
        }
        if let Some(kind) = Ty::checked_number(&name) {
            return kind;
        }
        let arguments = self.type_arguments(last, scope, depth);
        let kind = container(&name, &arguments).or_else(|| undeclared_type(self, &name));
        kind.unwrap_or_else(|| Ty::Unknown(name.into()))
    }

    /// `Self::Item`, `T::Item`, `T::Item::Part`: the associated type of a parameter.
    fn projected_type(&self, path: &Path, scope: &Substitution) -> Option<Ty> {
        let mut names = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string());
        let first = names.next()?;
        let own = match first.as_str() {
            "Self" => scope.self_type.clone()?,
            name => scope.types.get(name)?.clone(),
        };
        Some(names.fold(own, |own, name| self.associated_type(&own, &name, None)))
    }

    fn type_arguments(
        &self,
        segment: &syn::PathSegment,
        scope: &Substitution,
        depth: usize,
    ) -> Vec<Ty> {
        let arguments = self.arguments(segment, scope, depth).into_iter();
        let types = arguments.filter_map(|argument| match argument {
            GenericArg::Type(kind) => Some(kind),
            GenericArg::Value(_) => None,
        });
        types.collect()
    }

    /// The generic arguments of a path segment.
    pub(crate) fn arguments(
        &self,
        segment: &syn::PathSegment,
        scope: &Substitution,
        depth: usize,
    ) -> Vec<GenericArg> {
        match &segment.arguments {
            PathArguments::AngleBracketed(list) => self.argument_list(list, scope, depth),
            _ => Vec::new(),
        }
    }

    /// The generic arguments in angle brackets.
    pub(crate) fn argument_list(
        &self,
        list: &syn::AngleBracketedGenericArguments,
        scope: &Substitution,
        depth: usize,
    ) -> Vec<GenericArg> {
        let arguments = list.args.iter().filter_map(|argument| match argument {
            GenericArgument::Type(kind) => Some(match self.value_argument(kind, scope) {
                Some(value) => GenericArg::Value(ArrayLength(Arc::new(value))),
                None => GenericArg::Type(self.resolve_at(kind, scope, depth + 1)),
            }),
            GenericArgument::Const(value) => Some(GenericArg::Value(ArrayLength(Arc::new(
                constant(value, scope),
            )))),
            _ => None,
        });
        arguments.collect()
    }

    /// A constant with the syntax of a type.
    fn value_argument(&self, kind: &Type, scope: &Substitution) -> Option<Expression> {
        let Type::Path(path) = kind else { return None };
        let name = path.path.get_ident()?.to_string();
        if let Some(value) = scope.values.get(&name) {
            return Some((**value).clone());
        }
        let is_constant = self.index.constant_of(usize::MAX, &name).is_some();
        is_constant.then(|| named_constant(&name))
    }
}

/// The type that the user states for a name that nothing declares, or that is assumed for one of numbers: `Real` of a
/// crate whose text is not there.
fn undeclared_type(program: &ProgramContext, name: &str) -> Option<Ty> {
    const NUMBERS: [&str; 2] = ["Real", "Scalar"];
    let stated = program.stated_types.get(name);
    let stated = stated.map(|kind| program.resolve(kind, &Substitution::default()));
    let kind = match stated {
        Some(kind) => kind,
        None if NUMBERS.contains(&name) => Ty::Float(8),
        None => return None,
    };
    let text = format!("{name} = {}", program.type_text(&kind));
    program.undeclared_types.borrow_mut().insert(text.into());
    Some(kind)
}

/// The name of the type parameter that `impl Trait` stands for as the type of an argument.
pub(crate) fn anonymous_parameter(bounds: &syn::TypeImplTrait) -> String {
    format!("impl@{}", bounds.impl_token.span.byte_range().start)
}

/// Library types that contain elements.
fn container(name: &str, arguments: &[Ty]) -> Option<Ty> {
    let first = || Arc::new(arguments.first().cloned().unwrap_or_else(Ty::unknown));
    if let Some(kind) = Ty::complex(name, arguments.first()) {
        return Some(kind);
    }
    let rank = |prefix: &str| name.strip_prefix(prefix)?.parse::<usize>().ok();
    let grid = ["Array", "ArrayView", "ArrayViewMut", "ArcArray", "CowArray"];
    if let Some(rank) = grid.iter().find_map(|prefix| rank(prefix)) {
        return Some(Ty::NdArray(first(), rank));
    }
    Some(match name {
        "Vec" => Ty::Vec(first()),
        // What they point to lies behind a pointer, too.
        "Box" | "Arc" | "Rc" => Ty::Box(first()),
        // Laid out as the vector that it may be.
        "Cow" => match &*first() {
            Ty::Slice(element) => Ty::Vec(element.clone()),
            Ty::Str => Ty::primitive("String")?,
            _ => return None,
        },
        "Option" | "Result" => Ty::Option(first()),
        "Range" => Ty::Range(first()),
        // It has no parts.
        "PhantomData" => Ty::Tuple(Vec::new()),
        "NonNull" => Ty::Pointer(first()),
        "OrderedFloat" | "NotNan" | "Wrapping" | "MaybeUninit" | "ManuallyDrop" | "UnsafeCell"
        | "Saturating" => (*first()).clone(),
        "ArrayBase" | "Array" | "ArrayView" | "ArrayViewMut" => {
            let last = arguments.last()?;
            let Ty::Unknown(dimension) = last else {
                return None;
            };
            let rank = dimension.strip_prefix("Ix")?.parse().ok()?;
            Ty::NdArray(first(), rank)
        }
        _ => return None,
    })
}

/// A constant by its name.
pub(crate) fn named_constant(text: &str) -> Expression {
    name(TextRange::start_of(UnitId(0)), &text.into())
}

/// The value of a constant expression, in the common syntax.
pub(crate) fn constant(value: &Expr, scope: &Substitution) -> Expression {
    let at = TextRange::start_of(UnitId(0));
    match value {
        Expr::Lit(literal) => match &literal.lit {
            syn::Lit::Int(literal) => integer(at, literal.base10_parse().unwrap_or(i64::MAX)),
            _ => unknown_length(),
        },
        Expr::Paren(inner) => constant(&inner.expr, scope),
        Expr::Group(inner) => constant(&inner.expr, scope),
        Expr::Cast(inner) => constant(&inner.expr, scope),
        Expr::Block(block) => match block.block.stmts.as_slice() {
            [syn::Stmt::Expr(value, None)] => constant(value, scope),
            _ => unknown_length(),
        },
        Expr::Path(path) => {
            let parts: Vec<String> = path
                .path
                .segments
                .iter()
                .map(|s| s.ident.to_string())
                .collect();
            match parts.as_slice() {
                [single] => match scope.values.get(single) {
                    Some(value) => (**value).clone(),
                    None => named_constant(single),
                },
                [.., owner, last] if owner.starts_with(char::is_uppercase) => {
                    named_constant(&format!("{owner}::{last}"))
                }
                [.., last] => named_constant(last),
                [] => unknown_length(),
            }
        }
        Expr::Unary(inner) if matches!(inner.op, syn::UnOp::Neg(_)) => {
            unary(at, Unary::Negate, constant(&inner.expr, scope))
        }
        Expr::Binary(inner) => match operator(&inner.op) {
            Some(operator) => {
                let (a, b) = (constant(&inner.left, scope), constant(&inner.right, scope));
                match n_operations(&a) + n_operations(&b) < MAX_LENGTH {
                    true => binary(at, operator, a, b),
                    // The length of a length of a length may double each time.
                    false => unknown_length(),
                }
            }
            None => unknown_length(),
        },
        _ => unknown_length(),
    }
}

/// The number of operations in a length.
fn n_operations(length: &Expression) -> usize {
    use premiss_ast::syntax::ExpressionKind as Kind;
    match &length.kind {
        Kind::Binary(_, a, b) => 1 + n_operations(a) + n_operations(b),
        Kind::Unary(_, x) | Kind::Cast(_, x) => 1 + n_operations(x),
        _ => 0,
    }
}

/// An unknown length.
fn unknown_length() -> Expression {
    let at = TextRange::start_of(UnitId(0));
    cast(
        at,
        crate::ast_builder::wide(),
        crate::ast_builder::floating(at, 0.0, 4),
    )
}

/// The operation on integers for an operator.
pub(crate) fn operator(operator: &syn::BinOp) -> Option<Binary> {
    use syn::BinOp as Op;
    Some(match operator {
        Op::Add(_) | Op::AddAssign(_) => Binary::Add,
        Op::Sub(_) | Op::SubAssign(_) => Binary::Subtract,
        Op::Mul(_) | Op::MulAssign(_) => Binary::Multiply,
        Op::Div(_) | Op::DivAssign(_) => Binary::Divide,
        Op::Rem(_) | Op::RemAssign(_) => Binary::Remainder,
        Op::BitXor(_) | Op::BitXorAssign(_) => Binary::BitXor,
        Op::BitAnd(_) | Op::BitAndAssign(_) => Binary::BitAnd,
        Op::BitOr(_) | Op::BitOrAssign(_) => Binary::BitOr,
        Op::Shl(_) | Op::ShlAssign(_) => Binary::ShiftLeft,
        Op::Shr(_) | Op::ShrAssign(_) => Binary::ShiftRight,
        Op::Eq(_) => Binary::Equal,
        Op::Ne(_) => Binary::NotEqual,
        Op::Lt(_) => Binary::Less,
        Op::Le(_) => Binary::LessEqual,
        Op::Gt(_) => Binary::Greater,
        Op::Ge(_) => Binary::GreaterEqual,
        _ => return None,
    })
}

/// Whether an operator stores its result to the left operand.
pub(crate) fn is_assignment(operator: &syn::BinOp) -> bool {
    use syn::BinOp as Op;
    matches!(
        operator,
        Op::AddAssign(_)
            | Op::SubAssign(_)
            | Op::MulAssign(_)
            | Op::DivAssign(_)
            | Op::RemAssign(_)
            | Op::BitXorAssign(_)
            | Op::BitAndAssign(_)
            | Op::BitOrAssign(_)
            | Op::ShlAssign(_)
            | Op::ShrAssign(_)
    )
}
