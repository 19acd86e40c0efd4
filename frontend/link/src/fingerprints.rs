//! Fingerprints of declarations, for comparison with an earlier run.

use crate::program::LinkedProgram;
use crate::queries::Global;
use premiss_ast::syntax::{GlobalName, StructId, TextRange};
use premiss_source::Span;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

impl LinkedProgram<'_> {
    /// A fingerprint of the declarations of names at file scope and of structs; it does not depend on their places in
    /// the text.
    #[must_use]
    pub fn declarations_fingerprint(&self, names: &[GlobalName], structs: &[StructId]) -> u64 {
        let mut hasher = FxHasher::default();
        for GlobalName { unit, name } in names {
            let symbols = self.unit(*unit);
            symbols.hash_declaration(name, &mut hasher);
            if let Some(Global::Object(object)) = symbols.global(name) {
                self.is_standard(object.at).hash(&mut hasher);
            }
        }
        for id in structs {
            let unit = self.unit(id.unit).unit();
            unit.structs.get(id.row).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// The place in the source of a range of preprocessed text.
    pub(crate) fn span(&self, at: TextRange) -> Span {
        let origins = self.inputs(at.unit).origins;
        origins.span(at.start as usize..at.end as usize)
    }

    /// Whether a place is in a header of the standard library.
    pub(crate) fn is_standard(&self, at: TextRange) -> bool {
        let file = self.sources.file(self.span(at).file);
        file.path().starts_with('<')
    }
}
