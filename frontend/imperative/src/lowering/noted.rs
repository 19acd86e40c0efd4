//! What lowering asks of a program, noted.

use super::answers::Question;
use super::program::GlobalName;
use crate::syntax::{Name, StructId, UnitId};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// What was asked since it was last taken; nothing is noted where nobody wants to know.
#[derive(Default)]
pub(super) struct Noted {
    units: Vec<Cell<Extent>>,
    /// Whether what is asked now is told by the surface of a unit.
    is_surface: Cell<bool>,
    names: RefCell<Names>,
}

/// How much of a unit was asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Extent {
    #[default]
    Nothing,
    /// Which names it declares, and what its functions call and change.
    Surface,
    Everything,
}

/// What was asked.
#[derive(Clone, Default)]
pub(super) struct Asked {
    pub(super) units: Vec<UnitId>,
    /// The units of which no more was asked than their surfaces.
    pub(super) surfaces: Vec<UnitId>,
    pub(super) names: Names,
}

/// What was asked by names.
#[derive(Clone, Default)]
pub(super) struct Names {
    pub(super) functions: BTreeSet<Name>,
    pub(super) objects: BTreeSet<Name>,
    /// What texts of units say about names at file scope.
    pub(super) declared: BTreeSet<GlobalName>,
    pub(super) structs: BTreeSet<StructId>,
    pub(super) written: BTreeSet<GlobalName>,
    pub(super) all_written: bool,
    pub(super) sizes: BTreeSet<String>,
    pub(super) answers: BTreeSet<Question>,
}

impl Asked {
    /// Leaves out what units say of which all was asked for.
    fn leave_out_told(&mut self) {
        let is_open = |unit: UnitId| self.units.binary_search(&unit).is_err();
        self.names.declared.retain(|name| is_open(name.unit));
        self.names.structs.retain(|id| is_open(id.unit));
    }
}

impl Noted {
    /// For a program of so many units.
    pub(super) fn of(n_units: usize) -> Self {
        Self {
            units: vec![Cell::default(); n_units],
            is_surface: Cell::new(false),
            names: RefCell::default(),
        }
    }

    fn is_wanted(&self) -> bool {
        !self.units.is_empty()
    }

    pub(super) fn unit(&self, unit: UnitId) {
        let extent = match self.is_surface.get() {
            true => Extent::Surface,
            false => Extent::Everything,
        };
        self.note(unit, extent);
    }

    fn note(&self, unit: UnitId, extent: Extent) {
        if let Some(asked) = self.units.get(unit.0 as usize) {
            asked.set(asked.get().max(extent));
        }
    }

    /// Does something that depends on no more of any unit than its surface.
    pub(super) fn of_surfaces<T>(&self, ask: impl FnOnce() -> T) -> T {
        let around = self.is_surface.replace(true);
        let result = ask();
        self.is_surface.set(around);
        result
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

    /// What a unit says about a name at file scope. Where all of it was asked for, that is asked for, too; a surface tells
    /// what those want to know who ask for no more.
    pub(super) fn declared(&self, unit: UnitId, name: &Name) {
        if self.is_surface.get() {
            return self.unit(unit);
        }
        if self.is_open(unit) {
            let name = GlobalName {
                unit,
                name: name.clone(),
            };
            self.names.borrow_mut().declared.insert(name);
        }
    }

    pub(super) fn structure(&self, id: StructId) {
        if self.is_open(id.unit) {
            self.names.borrow_mut().structs.insert(id);
        }
    }

    /// Whether something is to be noted of a unit, and not all of it was asked for.
    fn is_open(&self, unit: UnitId) -> bool {
        let asked = self.units.get(unit.0 as usize);
        asked.is_some_and(|asked| asked.get() != Extent::Everything)
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

    pub(super) fn answer(&self, question: &Question) {
        if self.is_wanted() {
            let mut names = self.names.borrow_mut();
            if !names.answers.contains(question) {
                names.answers.insert(question.clone());
            }
        }
    }

    /// What was asked; from here on nothing was.
    pub(super) fn take(&self) -> Asked {
        let mut asked = Asked {
            names: self.names.take(),
            ..Asked::default()
        };
        for (unit, number) in self.units.iter().zip(0..) {
            match unit.take() {
                Extent::Nothing => {}
                Extent::Surface => asked.surfaces.push(UnitId(number)),
                Extent::Everything => asked.units.push(UnitId(number)),
            }
        }
        asked.leave_out_told();
        asked
    }

    /// Takes in what was asked elsewhere.
    pub(super) fn add(&self, asked: &Asked) {
        if !self.is_wanted() {
            return;
        }
        let all = asked.units.iter();
        all.for_each(|unit| self.note(*unit, Extent::Everything));
        let surfaces = asked.surfaces.iter();
        surfaces.for_each(|unit| self.note(*unit, Extent::Surface));
        let mut names = self.names.borrow_mut();
        let other = &asked.names;
        names.functions.extend(other.functions.iter().cloned());
        names.objects.extend(other.objects.iter().cloned());
        names.declared.extend(other.declared.iter().cloned());
        names.structs.extend(other.structs.iter().copied());
        names.written.extend(other.written.iter().cloned());
        names.all_written |= other.all_written;
        names.sizes.extend(other.sizes.iter().cloned());
        names.answers.extend(other.answers.iter().cloned());
    }
}
