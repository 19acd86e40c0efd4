//! Full names of paths: `Self` and type parameters are replaced by their meanings in this instance.

use crate::body::context::Body;
use crate::inherent_methods::library_type_name;
use crate::types::Ty;

/// The names of a path; `Self`, a type parameter and their associated types are replaced by the types that they denote.
pub(crate) fn path_parts(ctx: &Body, path: &syn::ExprPath) -> Vec<String> {
    let names = path.path.segments.iter().map(|part| part.ident.to_string());
    let names: Vec<String> = names.collect();
    let [first, .., last] = names.as_slice() else {
        let own = ctx.substitution.self_type.as_ref();
        let own = own.filter(|_| names.iter().any(|name| name == "Self"));
        return match own.and_then(|own| type_name(ctx, own)) {
            Some(own) => vec![own],
            None => names,
        };
    };
    let is_parameter = first == "Self" || ctx.substitution.types.contains_key(first);
    if !is_parameter && path.qself.is_none() {
        return names;
    }
    let owner = owner_of(ctx, path).and_then(|(kind, _)| type_name(ctx, &kind));
    match owner {
        Some(owner) => vec![owner, last.clone()],
        None => names,
    }
}

/// The name of a type in a path.
fn type_name(ctx: &Body, kind: &Ty) -> Option<String> {
    match kind.peeled() {
        Ty::Record(record, _) => Some(ctx.program.index.record_name(*record)),
        Ty::Simd(name, _) => Some(name.to_string()),
        Ty::Unknown(name) if &**name != "_" => Some(name.to_string()),
        kind => library_type_name(kind).map(str::to_owned),
    }
}

/// The type before the last name of a path, and the trait that the path states: `<T as Pixel>::new`.
pub(crate) fn owner_of(ctx: &Body, path: &syn::ExprPath) -> Option<(Ty, Option<String>)> {
    let scope = &ctx.substitution;
    let segments = &path.path.segments;
    if let Some(own) = &path.qself
        && own.position + 1 == segments.len()
    {
        let before = own
            .position
            .checked_sub(1)
            .and_then(|idx| segments.get(idx));
        let of_trait = before.map(|segment| segment.ident.to_string());
        return Some((ctx.program.resolve(&own.ty, scope), of_trait));
    }
    let mut before = path.path.clone();
    before.segments.pop();
    before.segments.pop_punct();
    if before.segments.is_empty() {
        return None;
    }
    let before = syn::TypePath {
        attrs: Vec::new(),
        qself: path.qself.clone(),
        path: before,
    };
    Some((ctx.program.resolve(&syn::Type::Path(before), scope), None))
}

/// The type before the last name of a path without `<T as Trait>`.
pub(crate) fn owner_of_path(ctx: &Body, path: &syn::Path) -> Option<Ty> {
    let path = syn::ExprPath {
        attrs: Vec::new(),
        qself: None,
        path: path.clone(),
    };
    owner_of(ctx, &path).map(|(kind, _)| kind)
}
