//! Names, each of them once.

use crate::syntax::Name;
use rustc_hash::FxHashSet;

/// The names of all units that are parsed so far: headers mean that most units have the same ones.
#[derive(Clone, Debug, Default)]
pub struct Names(FxHashSet<Name>);

impl Names {
    /// The name with this text.
    pub fn of(&mut self, text: &str) -> Name {
        if let Some(name) = self.0.get(text) {
            return name.clone();
        }
        let name = Name::from(text);
        self.0.insert(name.clone());
        name
    }

    /// Whether there is one with this text.
    #[must_use]
    pub fn contains(&self, text: &str) -> bool {
        self.0.contains(text)
    }

    /// All of them, in no order.
    pub fn iter(&self) -> impl Iterator<Item = &Name> {
        self.0.iter()
    }
}
