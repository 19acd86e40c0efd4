//! Explanations of references, by reference.

use super::derivations::Derivations;
use crate::explain::{StoryJson, stories};
use premiss_source::SourceMap;
use std::collections::BTreeMap;

/// File, function, line, column, text and kind, which identify a reference in two readings of one program.
pub(super) type ReferenceKey = (String, String, u32, u32, String, &'static str);

/// Explanations by the references that they explain.
pub(super) struct Explanations(BTreeMap<ReferenceKey, StoryJson>);

impl Explanations {
    /// The explanations in some derivations.
    pub(super) fn of(sources: &SourceMap, derivations: &Derivations) -> Self {
        let functions = derivations.stories.iter();
        let all = functions.flat_map(|(tree, x)| stories(sources, (tree, x), &derivations.levels));
        let keyed = all.map(|(path, x)| {
            let (function, text) = (x.function.clone(), x.text.clone());
            ((path, function, x.line, x.column, text, x.kind), x)
        });
        Self(keyed.collect())
    }

    /// The explanation of a reference, if there is one.
    pub(super) fn get(&self, key: &ReferenceKey) -> Option<&StoryJson> {
        self.0.get(key)
    }
}
