//! Names, each of them once.

use crate::syntax::Name;
use rustc_hash::FxHashSet;

/// The names of all units that are parsed so far: headers mean that most units have the same ones.
#[derive(Clone, Default)]
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
}
