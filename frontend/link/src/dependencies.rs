//! What a computation read of a program: the inputs that its queries went to.
//!
//! [`Dependencies`] is a set of inputs, as fine as an edit may be: all that a unit says, or the signatures of its
//! functions alone, one name at its file scope, the units that define a name, one bit of a call summary. A computation is
//! a function of the values of these inputs, and of nothing else of the program.

use crate::pure_calls::PureCall;
use premiss_ast::syntax::{GlobalName, Name, StructId, UnitId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// An input that a query reads.
#[derive(Clone, Copy, Debug)]
pub enum Input<'i> {
    /// All that a unit says.
    Unit(UnitId),
    /// The signatures of a unit's functions.
    Signatures(UnitId),
    /// What a unit declares by a name at file scope.
    Declaration(UnitId, &'i Name),
    /// A struct.
    Struct(StructId),
    /// The units that define a function with external linkage.
    FunctionDefinitions(&'i Name),
    /// The units that define an object with external linkage, and the first that declares it.
    ObjectDefinitions(&'i Name),
    /// Whether some function modifies an object at file scope.
    IsModified(&'i GlobalName),
    /// A size that the user gives.
    Size(&'i str),
    /// The result of a pure call.
    PureCall(&'i PureCall),
    /// What following a function's calls comes to, its steps aside.
    CallSummary(&'i GlobalName),
    /// Whether following a function takes a number of steps within these bounds.
    Steps(&'i GlobalName, StepBounds),
}

/// What a computation read.
#[derive(Clone, Debug, Default)]
pub struct Dependencies {
    /// The units of which it read everything, in order.
    pub units: Vec<UnitId>,
    /// The units of which it read no more than the signatures of functions, in order.
    pub signatures: Vec<UnitId>,
    /// What it read by names.
    pub names: NameDependencies,
}

/// What a computation read by names.
#[derive(Clone, Debug, Default)]
pub struct NameDependencies {
    /// Functions whose definitions it looked up among all units.
    pub functions: BTreeSet<Name>,
    /// Objects whose definitions it looked up among all units.
    pub objects: BTreeSet<Name>,
    /// Names at file scope, with the units whose declarations of them it read.
    pub declarations: BTreeSet<GlobalName>,
    /// The structs that it read.
    pub structs: BTreeSet<StructId>,
    /// The objects of which it read whether some function modifies them.
    pub modified: BTreeSet<GlobalName>,
    /// The sizes that it read.
    pub sizes: BTreeSet<String>,
    /// The pure calls whose results it read.
    pub pure_calls: BTreeSet<PureCall>,
    /// The functions whose call summaries it read.
    pub call_summaries: BTreeSet<GlobalName>,
    /// What it read of the number of steps that functions take.
    pub steps: BTreeMap<GlobalName, StepBounds>,
}

/// Bounds of a number of steps: it is more than one number, and at most another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StepBounds {
    more_than: u64,
    at_most: u64,
}

impl StepBounds {
    /// That it is more than `steps`, or that it is not.
    #[must_use]
    pub fn new(steps: u64, is_more: bool) -> Self {
        let (more_than, at_most) = match is_more {
            true => (steps, u64::MAX),
            false => (0, steps),
        };
        Self { more_than, at_most }
    }

    /// Whether a number is within them.
    #[must_use]
    pub fn contains(self, steps: u64) -> bool {
        self.more_than < steps && steps <= self.at_most
    }

    /// Bounds of what is within both.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self {
            more_than: self.more_than.max(other.more_than),
            at_most: self.at_most.min(other.at_most),
        }
    }
}

impl NameDependencies {
    /// Adds what was read of a number of steps.
    pub fn add_steps(&mut self, function: &GlobalName, steps: StepBounds) {
        match self.steps.get_mut(function) {
            Some(bounds) => *bounds = bounds.intersection(steps),
            None => {
                self.steps.insert(function.clone(), steps);
            }
        }
    }

    /// Adds what another computation read.
    pub fn extend(&mut self, other: &Self) {
        self.functions.extend(other.functions.iter().cloned());
        self.objects.extend(other.objects.iter().cloned());
        self.declarations.extend(other.declarations.iter().cloned());
        self.structs.extend(other.structs.iter().copied());
        self.modified.extend(other.modified.iter().cloned());
        self.sizes.extend(other.sizes.iter().cloned());
        self.pure_calls.extend(other.pure_calls.iter().cloned());
        let summaries = other.call_summaries.iter();
        self.call_summaries.extend(summaries.cloned());
        for (function, steps) in &other.steps {
            self.add_steps(function, *steps);
        }
    }
}

/// Takes note of the inputs that queries read.
pub trait Recorder {
    /// Adds an input to what was read.
    fn record(&self, input: Input<'_>);
    /// What was read since this was called last.
    fn take(&self) -> Dependencies;
    /// Adds what another computation read, on whose result this one rests.
    fn add(&self, dependencies: &Dependencies);
}

/// Where nobody wants to know what was read.
pub struct NoRecorder;

impl Recorder for NoRecorder {
    fn record(&self, _: Input<'_>) {}

    fn take(&self) -> Dependencies {
        Dependencies::default()
    }

    fn add(&self, _: &Dependencies) {}
}

#[cfg(test)]
mod tests {
    use super::StepBounds;

    #[test]
    fn bounds_of_steps_become_narrower_with_each_question() {
        let more_than_10 = StepBounds::new(10, true);
        let at_most_20 = StepBounds::new(20, false);
        let both = more_than_10.intersection(at_most_20);
        assert!(!both.contains(10) && both.contains(11) && both.contains(20));
        assert!(!both.contains(21) && more_than_10.contains(21));
    }
}
