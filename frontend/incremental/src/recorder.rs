//! Records the inputs of a program that the queries of one computation read.

use premiss_ast::syntax::{GlobalName, UnitId};
use premiss_link::{Dependencies, Input, NameDependencies, Recorder};
use std::cell::{Cell, RefCell};

/// The inputs read since they were last taken.
pub(crate) struct DependencyRecorder {
    units: Vec<Cell<UnitExtent>>,
    /// The units of which anything was read, unordered: most computations read few.
    read_units: RefCell<Vec<UnitId>>,
    names: RefCell<NameDependencies>,
}

/// How much of a unit was read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum UnitExtent {
    #[default]
    Nothing,
    /// The signatures of its functions.
    Signatures,
    Everything,
}

impl DependencyRecorder {
    /// An empty recorder for a program of `n_units` units.
    pub(crate) fn new(n_units: usize) -> Self {
        Self {
            units: vec![Cell::default(); n_units],
            read_units: RefCell::default(),
            names: RefCell::default(),
        }
    }

    fn record_unit(&self, unit: UnitId, extent: UnitExtent) {
        if let Some(recorded) = self.units.get(unit.0 as usize) {
            if recorded.get() == UnitExtent::Nothing {
                self.read_units.borrow_mut().push(unit);
            }
            recorded.set(recorded.get().max(extent));
        }
    }

    /// Whether inputs within a unit have to be recorded: not if the whole unit is.
    fn is_partly_read(&self, unit: UnitId) -> bool {
        let extent = self.units.get(unit.0 as usize);
        extent.is_some_and(|extent| extent.get() != UnitExtent::Everything)
    }
}

impl Recorder for DependencyRecorder {
    fn record(&self, input: Input<'_>) {
        match input {
            Input::Unit(unit) => return self.record_unit(unit, UnitExtent::Everything),
            Input::Signatures(unit) => return self.record_unit(unit, UnitExtent::Signatures),
            Input::Declaration(unit, _)
            | Input::Struct(premiss_ast::syntax::StructId { unit, .. })
                if !self.is_partly_read(unit) =>
            {
                return;
            }
            _ => {}
        }
        let names = &mut *self.names.borrow_mut();
        match input {
            Input::Unit(_) | Input::Signatures(_) => {}
            Input::Declaration(unit, name) => {
                let name = name.clone();
                names.declarations.insert(GlobalName { unit, name });
            }
            Input::Struct(id) => {
                names.structs.insert(id);
            }
            Input::FunctionDefinitions(name) => {
                if !names.functions.contains(name) {
                    names.functions.insert(name.clone());
                }
            }
            Input::ObjectDefinitions(name) => {
                if !names.objects.contains(name) {
                    names.objects.insert(name.clone());
                }
            }
            Input::IsModified(name) => {
                names.modified.insert(name.clone());
            }
            Input::Size(name) => {
                names.sizes.insert(name.to_owned());
            }
            Input::PureCall(call) => {
                if !names.pure_calls.contains(call) {
                    names.pure_calls.insert(call.clone());
                }
            }
            Input::CallSummary(function) => {
                names.call_summaries.insert(function.clone());
            }
            Input::Steps(function, steps) => names.add_steps(function, steps),
        }
    }

    fn take(&self) -> Dependencies {
        let mut dependencies = Dependencies {
            names: self.names.take(),
            ..Dependencies::default()
        };
        let mut units = self.read_units.take();
        units.sort_unstable();
        for unit in units {
            match self.units[unit.0 as usize].take() {
                UnitExtent::Nothing => {}
                UnitExtent::Signatures => dependencies.signatures.push(unit),
                UnitExtent::Everything => dependencies.units.push(unit),
            }
        }
        drop_parts_of_whole_units(&mut dependencies);
        dependencies
    }

    fn add(&self, dependencies: &Dependencies) {
        for unit in &dependencies.units {
            self.record_unit(*unit, UnitExtent::Everything);
        }
        for unit in &dependencies.signatures {
            self.record_unit(*unit, UnitExtent::Signatures);
        }
        self.names.borrow_mut().extend(&dependencies.names);
    }
}

/// Removes the declarations and structs of units that were read as a whole.
fn drop_parts_of_whole_units(dependencies: &mut Dependencies) {
    let Dependencies { units, names, .. } = dependencies;
    let is_partly_read = |unit: UnitId| units.binary_search(&unit).is_err();
    names.declarations.retain(|name| is_partly_read(name.unit));
    names.structs.retain(|id| is_partly_read(id.unit));
}

#[cfg(test)]
mod tests {
    use super::DependencyRecorder;
    use premiss_ast::syntax::{Name, UnitId};
    use premiss_link::{Input, Recorder};

    #[test]
    fn a_unit_that_is_read_as_a_whole_has_no_parts() {
        let recorder = DependencyRecorder::new(3);
        let name = Name::from("n");
        recorder.record(Input::Declaration(UnitId(1), &name));
        recorder.record(Input::Declaration(UnitId(2), &name));
        recorder.record(Input::Signatures(UnitId(2)));
        recorder.record(Input::Unit(UnitId(2)));
        let read = recorder.take();
        assert_eq!(read.units, [UnitId(2)]);
        assert!(read.signatures.is_empty());
        let declarations: Vec<UnitId> = read.names.declarations.iter().map(|x| x.unit).collect();
        assert_eq!(declarations, [UnitId(1)]);
    }

    #[test]
    fn what_was_taken_is_no_longer_recorded_until_it_is_added() {
        let recorder = DependencyRecorder::new(1);
        let name = Name::from("f");
        recorder.record(Input::FunctionDefinitions(&name));
        recorder.record(Input::Signatures(UnitId(0)));
        let first = recorder.take();
        assert!(recorder.take().names.functions.is_empty());
        recorder.add(&first);
        let again = recorder.take();
        assert_eq!(again.signatures, [UnitId(0)]);
        assert!(again.names.functions.contains(&name));
    }
}
