//! Full names of paths: `Self` and type parameters are replaced by their meanings in this instance.

use crate::body::context::Body;
use crate::inherent_methods::library_type_name;
use crate::types::Ty;

/// The names of a path; `Self` is replaced by the type that it denotes.
pub(crate) fn path_parts(ctx: &Body, path: &syn::Path) -> Vec<String> {
    let own = match ctx.substitution.self_type.as_ref().map(Ty::peeled) {
        Some(Ty::Record(record, _)) => Some(ctx.program.index.record_name(*record)),
        Some(kind) => library_type_name(kind).map(str::to_owned),
        None => None,
    };
    let parts = path.segments.iter().map(|part| {
        let name = part.ident.to_string();
        match (&own, name.as_str()) {
            (Some(own), "Self") => own.clone(),
            _ => name,
        }
    });
    parts.collect()
}
