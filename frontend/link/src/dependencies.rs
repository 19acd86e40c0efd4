//! The dependencies of a computation: the inputs of the program that its queries read.
//!
//! [`Dependencies`] is a set of inputs. Their granularity matches that of edits: a whole unit, the signatures of its
//! functions, one name at its file scope, the units that define a name, one comparison with a call summary. A
//! computation is a function of the values of these inputs and of nothing else in the program.

use crate::pure_calls::PureCall;
use premiss_ast::syntax::{GlobalName, Name, StructId, UnitId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// An input that a query reads.
#[derive(Clone, Copy, Debug)]
pub enum Input<'i> {
    /// The whole contents of a unit.
    Unit(UnitId),
    /// The signatures of the functions that a unit defines.
    Signatures(UnitId),
    /// The declaration of a name at the file scope of a unit.
    Declaration(UnitId, &'i Name),
    /// The definition of a struct or union.
    Struct(StructId),
    /// The units that define a function with external linkage.
    FunctionDefinitions(&'i Name),
    /// The units that define an object with external linkage, and the first that declares it.
    ObjectDefinitions(&'i Name),
    /// Whether some function modifies an object at file scope.
    IsModified(&'i GlobalName),
    /// A size of that name, which the user gives a value or keeps symbolic.
    Size(&'i str),
    /// The result of a pure call.
    PureCall(&'i PureCall),
    /// The call summary of a function without its steps.
    CallSummary(&'i GlobalName),
    /// Whether the number of steps of inlining a function is within these bounds.
    Steps(&'i GlobalName, StepBounds),
}

/// The inputs that a computation read.
#[derive(Clone, Debug, Default)]
pub struct Dependencies {
    /// The units that it read as a whole, sorted.
    pub units: Vec<UnitId>,
    /// The units of which it read only the signatures of functions, sorted.
    pub signatures: Vec<UnitId>,
    /// The inputs that it read by name.
    pub names: NameDependencies,
}

/// Inputs that a computation read by name.
#[derive(Clone, Debug, Default)]
pub struct NameDependencies {
    /// Functions whose definitions it looked up among all units.
    pub functions: BTreeSet<Name>,
    /// Objects whose definitions it looked up among all units.
    pub objects: BTreeSet<Name>,
    /// Names at file scope whose declarations it read, with their units.
    pub declarations: BTreeSet<GlobalName>,
    /// Structs and unions whose definitions it read.
    pub structs: BTreeSet<StructId>,
    /// Objects for which it read whether some function modifies them.
    pub modified: BTreeSet<GlobalName>,
    /// Sizes of the user that it read.
    pub sizes: BTreeSet<String>,
    /// The pure calls whose results it read.
    pub pure_calls: BTreeSet<PureCall>,
    /// The functions whose call summaries it read.
    pub call_summaries: BTreeSet<GlobalName>,
    /// Functions with the bounds of their numbers of steps that it compared.
    pub steps: BTreeMap<GlobalName, StepBounds>,
}

/// An interval of numbers of steps: greater than `more_than` and at most `at_most`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StepBounds {
    more_than: u64,
    at_most: u64,
}

impl StepBounds {
    /// The interval of the numbers greater than `steps` if `is_more`, else of those up to `steps`.
    #[must_use]
    pub fn new(steps: u64, is_more: bool) -> Self {
        let (more_than, at_most) = match is_more {
            true => (steps, u64::MAX),
            false => (0, steps),
        };
        Self { more_than, at_most }
    }

    /// Whether a number is in the interval.
    #[must_use]
    pub fn contains(self, steps: u64) -> bool {
        self.more_than < steps && steps <= self.at_most
    }

    /// The intersection of both intervals.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self {
            more_than: self.more_than.max(other.more_than),
            at_most: self.at_most.min(other.at_most),
        }
    }
}

impl NameDependencies {
    /// Adds bounds of the number of steps of a function; intersects them with earlier ones.
    pub fn add_steps(&mut self, function: &GlobalName, steps: StepBounds) {
        match self.steps.get_mut(function) {
            Some(bounds) => *bounds = bounds.intersection(steps),
            None => {
                self.steps.insert(function.clone(), steps);
            }
        }
    }

    /// Adds the inputs of another computation.
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

/// Records the inputs that queries read.
pub trait Recorder {
    /// Records an input.
    fn record(&self, input: Input<'_>);
    /// Returns the inputs recorded since the last call, and forgets them.
    fn take(&self) -> Dependencies;
    /// Records the inputs of another computation whose result the current one uses.
    fn add(&self, dependencies: &Dependencies);
}

/// A recorder that discards everything.
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
