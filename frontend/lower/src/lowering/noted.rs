//! What lowering asks of a program, noted.

use super::answers::Question;
use crate::syntax::GlobalName;
use crate::syntax::{Name, StructId, UnitId};
use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// What was asked since it was last taken; nothing is noted where nobody wants to know.
#[derive(Default)]
pub(super) struct Noted {
    units: Vec<Cell<Extent>>,
    /// Those of which something was asked, in no order: most files ask for few.
    touched: RefCell<Vec<UnitId>>,
    names: RefCell<Names>,
}

/// How much of a unit was asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Extent {
    #[default]
    Nothing,
    /// How its functions are called.
    Signatures,
    Everything,
}

/// What was asked.
#[derive(Clone, Default)]
pub(super) struct Asked {
    pub(super) units: Vec<UnitId>,
    /// The units of which no more was asked than how their functions are called.
    pub(super) signatures: Vec<UnitId>,
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
    pub(super) sizes: BTreeSet<String>,
    pub(super) answers: BTreeSet<Question>,
    /// The functions of which it was asked what they reach.
    pub(super) reaches: BTreeSet<GlobalName>,
    /// How many steps functions take.
    pub(super) steps: BTreeMap<GlobalName, Steps>,
}

/// What is known of a number of steps: that it is more than some, and at most so many.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Steps {
    more_than: u64,
    at_most: u64,
}

impl Steps {
    /// That it is more than this, or is not.
    pub(super) fn of(steps: u64, is_more: bool) -> Self {
        let (more_than, at_most) = match is_more {
            true => (steps, u64::MAX),
            false => (0, steps),
        };
        Self { more_than, at_most }
    }

    pub(super) fn contains(self, steps: u64) -> bool {
        self.more_than < steps && steps <= self.at_most
    }

    /// What is known where both are.
    fn and(&mut self, other: Self) {
        self.more_than = self.more_than.max(other.more_than);
        self.at_most = self.at_most.min(other.at_most);
    }
}

impl Names {
    fn add_steps(&mut self, function: &GlobalName, steps: Steps) {
        match self.steps.get_mut(function) {
            Some(known) => known.and(steps),
            None => {
                self.steps.insert(function.clone(), steps);
            }
        }
    }
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
            touched: RefCell::default(),
            names: RefCell::default(),
        }
    }

    fn is_wanted(&self) -> bool {
        !self.units.is_empty()
    }

    pub(super) fn unit(&self, unit: UnitId) {
        self.note(unit, Extent::Everything);
    }

    pub(super) fn signatures(&self, unit: UnitId) {
        self.note(unit, Extent::Signatures);
    }

    fn note(&self, unit: UnitId, extent: Extent) {
        if let Some(asked) = self.units.get(unit.0 as usize) {
            if asked.get() == Extent::Nothing {
                self.touched.borrow_mut().push(unit);
            }
            asked.set(asked.get().max(extent));
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

    /// What a unit says about a name at file scope. Where all of it was asked for, that is asked for, too.
    pub(super) fn declared(&self, unit: UnitId, name: &Name) {
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

    pub(super) fn reach(&self, function: &GlobalName) {
        if self.is_wanted() {
            self.names.borrow_mut().reaches.insert(function.clone());
        }
    }

    pub(super) fn steps(&self, function: &GlobalName, steps: Steps) {
        if self.is_wanted() {
            self.names.borrow_mut().add_steps(function, steps);
        }
    }

    /// What was asked; from here on nothing was.
    pub(super) fn take(&self) -> Asked {
        let mut asked = Asked {
            names: self.names.take(),
            ..Asked::default()
        };
        let mut touched = self.touched.take();
        touched.sort_unstable();
        for unit in touched {
            match self.units[unit.0 as usize].take() {
                Extent::Nothing => {}
                Extent::Signatures => asked.signatures.push(unit),
                Extent::Everything => asked.units.push(unit),
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
        let signatures = asked.signatures.iter();
        signatures.for_each(|unit| self.note(*unit, Extent::Signatures));
        let mut names = self.names.borrow_mut();
        let other = &asked.names;
        names.functions.extend(other.functions.iter().cloned());
        names.objects.extend(other.objects.iter().cloned());
        names.declared.extend(other.declared.iter().cloned());
        names.structs.extend(other.structs.iter().copied());
        names.written.extend(other.written.iter().cloned());
        names.reaches.extend(other.reaches.iter().cloned());
        names.sizes.extend(other.sizes.iter().cloned());
        names.answers.extend(other.answers.iter().cloned());
        let steps = other.steps.iter();
        steps.for_each(|(function, steps)| names.add_steps(function, *steps));
    }
}
