//! What lowering asks of a program, noted.

use super::program::GlobalName;
use crate::syntax::{Name, UnitId};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// What was asked since it was last taken; nothing is noted where nobody wants to know.
#[derive(Default)]
pub(super) struct Noted {
    units: Vec<Cell<bool>>,
    names: RefCell<Names>,
}

/// What was asked.
#[derive(Default)]
pub(super) struct Asked {
    pub(super) units: Vec<UnitId>,
    pub(super) names: Names,
}

/// What was asked by names.
#[derive(Default)]
pub(super) struct Names {
    pub(super) functions: BTreeSet<Name>,
    pub(super) objects: BTreeSet<Name>,
    pub(super) written: BTreeSet<GlobalName>,
    pub(super) all_written: bool,
    pub(super) sizes: BTreeSet<String>,
}

impl Noted {
    /// For a program of so many units.
    pub(super) fn of(n_units: usize) -> Self {
        Self {
            units: vec![Cell::new(false); n_units],
            names: RefCell::default(),
        }
    }

    fn is_wanted(&self) -> bool {
        !self.units.is_empty()
    }

    pub(super) fn unit(&self, unit: UnitId) {
        if let Some(is_asked) = self.units.get(unit.0 as usize) {
            is_asked.set(true);
        }
    }

    pub(super) fn function(&self, name: &Name) {
        if self.is_wanted() {
            let mut names = self.names.borrow_mut();
            if !names.functions.contains(name) {
                names.functions.insert(name.clone());
            }
        }
    }

    pub(super) fn object(&self, name: &Name) {
        if self.is_wanted() {
            let mut names = self.names.borrow_mut();
            if !names.objects.contains(name) {
                names.objects.insert(name.clone());
            }
        }
    }

    pub(super) fn written(&self, name: &GlobalName) {
        if self.is_wanted() {
            self.names.borrow_mut().written.insert(name.clone());
        }
    }

    pub(super) fn all_written(&self) {
        self.names.borrow_mut().all_written = true;
    }

    pub(super) fn size(&self, name: &str) {
        if self.is_wanted() {
            self.names.borrow_mut().sizes.insert(name.to_owned());
        }
    }

    /// What was asked; from here on nothing was.
    pub(super) fn take(&self) -> Asked {
        let asked = self.units.iter().zip(0..).filter(|(unit, _)| unit.take());
        Asked {
            units: asked.map(|(_, number)| UnitId(number)).collect(),
            names: self.names.take(),
        }
    }

    /// Takes in what was asked elsewhere.
    pub(super) fn add(&self, asked: &Asked) {
        if !self.is_wanted() {
            return;
        }
        asked.units.iter().for_each(|unit| self.unit(*unit));
        let mut names = self.names.borrow_mut();
        let other = &asked.names;
        names.functions.extend(other.functions.iter().cloned());
        names.objects.extend(other.objects.iter().cloned());
        names.written.extend(other.written.iter().cloned());
        names.all_written |= other.all_written;
        names.sizes.extend(other.sizes.iter().cloned());
    }
}
