//! Interned names.

use crate::syntax::Name;
use rustc_hash::FxHashSet;

/// The names of all units parsed so far, each stored once: because of headers, most units have the same names.
#[derive(Clone, Debug, Default)]
pub struct Names(FxHashSet<Name>);

impl Names {
    /// The name with this text; adds it if there is none.
    pub fn of(&mut self, text: &str) -> Name {
        if let Some(name) = self.0.get(text) {
            return name.clone();
        }
        let name = Name::from(text);
        self.0.insert(name.clone());
        name
    }

    /// Whether there is a name with this text.
    #[must_use]
    pub fn contains(&self, text: &str) -> bool {
        self.0.contains(text)
    }

    /// All names, in unspecified order.
    pub fn iter(&self) -> impl Iterator<Item = &Name> {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn equal_texts_are_one_name() {
        let mut names = Names::default();
        let first = names.of("n");
        assert!(Arc::ptr_eq(&first, &names.of("n")));
        assert!(!Arc::ptr_eq(&first, &names.of("m")));
        assert!(names.contains("m") && !names.contains("k"));
        assert_eq!(names.iter().count(), 2);
    }
}
