//! Names with external linkage, with the units that define them; and which summaries of an earlier run hold while
//! these mean the same.

use crate::program::LinkedProgram;
use crate::symbols::UnitSymbols;
use crate::unit_interface::UnitSummary;
use premiss_ast::syntax::{GlobalName, Name, UnitId};
use premiss_parallel as parallel;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The units that define names with external linkage.
#[derive(Default)]
pub struct ExternalSymbols {
    functions: FxHashMap<Name, Vec<UnitId>>,
    /// With the first unit that declares the object.
    objects: FxHashMap<Name, (Vec<UnitId>, UnitId)>,
}

impl ExternalSymbols {
    /// Of units, or of the summaries of those that are not there; `builtin` has definitions that are nobody's.
    pub(crate) fn of_units(units: &[UnitSymbols], builtin: UnitId) -> Self {
        let mut externals = Self::default();
        for (unit, symbols) in (0..).map(UnitId).zip(units) {
            if unit != builtin {
                let functions = symbols.external_functions();
                externals.add(unit, functions, symbols.external_objects());
            }
        }
        externals
    }

    /// Of the units of an earlier run.
    fn of_summaries(summaries: &[&UnitSummary], builtin: UnitId) -> Self {
        let mut externals = Self::default();
        for (unit, summary) in (0..).map(UnitId).zip(summaries) {
            if unit != builtin {
                let functions = summary.function_names();
                externals.add(unit, functions, summary.object_names());
            }
        }
        externals
    }

    fn add(&mut self, unit: UnitId, functions: Vec<Name>, objects: Vec<(Name, bool)>) {
        for name in functions {
            self.functions.entry(name).or_default().push(unit);
        }
        for (name, is_defined) in objects {
            let entry = self.objects.entry(name);
            let (defined, _) = entry.or_insert_with(|| (Vec::new(), unit));
            if is_defined {
                defined.push(unit);
            }
        }
    }

    /// The units that define a function.
    #[must_use]
    pub fn functions(&self, name: &str) -> &[UnitId] {
        self.functions.get(name).map_or(&[], Vec::as_slice)
    }

    /// The units that define an object, and the first that declares it.
    #[must_use]
    pub fn object(&self, name: &str) -> Option<(&[UnitId], UnitId)> {
        let (defined, first) = self.objects.get(name)?;
        Some((defined, *first))
    }

    /// The names that other units define in another program.
    fn differing_names<'s>(&'s self, other: &'s Self) -> FxHashSet<&'s str> {
        let functions = [self, other].into_iter().flat_map(|x| x.functions.keys());
        let functions = functions.filter(|name| self.functions(name) != other.functions(name));
        let objects = [self, other].into_iter().flat_map(|x| x.objects.keys());
        let objects = objects.filter(|name| self.object(name) != other.object(name));
        functions.chain(objects).map(|name| &**name).collect()
    }
}

impl<'a> LinkedProgram<'a> {
    /// Finds which summaries of an earlier run hold: what is in them depends on what the names that they look up mean.
    /// The other units are built.
    pub(crate) fn validate_summaries(&mut self, earlier: Option<&[&UnitSummary]>) {
        let builtin = self.models.builtin;
        let earlier = earlier.filter(|summaries| summaries.len() == self.units.len());
        let before = earlier.map(|summaries| ExternalSymbols::of_summaries(summaries, builtin));
        let differing = before
            .as_ref()
            .map(|before| self.externals.differing_names(before));
        let holds = |summary: &UnitSummary| {
            let mut names = summary.interface.looked_up_names.iter();
            let differing = differing.as_ref();
            differing.is_some_and(|differing| !names.any(|name| differing.contains(&**name)))
        };
        for unit in &mut self.units {
            unit.has_valid_summary = unit.inputs.syntax.summary().is_some_and(holds);
        }
        parallel::map(&self.units, |unit| {
            if !unit.has_valid_summary {
                unit.contents();
            }
        });
    }

    /// Finds what others need of each unit.
    pub(crate) fn find_interfaces(self: &Arc<Self>) {
        parallel::map(self.unit_ids().zip(&self.units), |(id, unit)| {
            unit.interface.get_or_init(|| match self.valid_summary(id) {
                Some(summary) => summary.interface.clone(),
                None => Arc::new(self.view().find_interface(id)),
            });
        });
    }

    /// Names at file scope that some function modifies, in order.
    pub(crate) fn collect_modified(&self) -> Vec<GlobalName> {
        let interfaces = self.units.iter().filter_map(|unit| unit.interface.get());
        let modified: BTreeSet<_> = interfaces.flat_map(|x| x.modified()).collect();
        modified.into_iter().cloned().collect()
    }

    /// What an earlier run left of a unit that is not there, where it holds.
    #[must_use]
    pub fn valid_summary(&self, unit: UnitId) -> Option<&'a UnitSummary> {
        let unit = self.unit(unit);
        let summary = unit.inputs.syntax.summary();
        summary.filter(|_| unit.has_valid_summary)
    }

    /// What linking needs of a unit, for the next run.
    #[must_use]
    pub fn summary_of(&self, unit: UnitId) -> UnitSummary {
        if let Some(summary) = self.valid_summary(unit) {
            return summary.clone();
        }
        let unit = self.unit(unit);
        let functions = unit.external_functions();
        let objects = unit.external_objects().into_iter();
        UnitSummary {
            functions: functions.iter().map(ToString::to_string).collect(),
            objects: objects.map(|(name, is)| (name.to_string(), is)).collect(),
            n_loops: unit.n_loops(),
            interface: unit.interface.get().cloned().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ExternalSymbols;
    use crate::unit_interface::UnitSummary;
    use premiss_ast::syntax::UnitId;

    fn defining(functions: &[&str]) -> UnitSummary {
        UnitSummary {
            functions: functions.iter().map(ToString::to_string).collect(),
            ..UnitSummary::default()
        }
    }

    #[test]
    fn names_differ_where_other_units_define_them() {
        let [f, g, fg] = [defining(&["f"]), defining(&["g"]), defining(&["f", "g"])];
        let builtin = UnitId(9);
        let before = ExternalSymbols::of_summaries(&[&f, &g], builtin);
        let same = ExternalSymbols::of_summaries(&[&f, &g], builtin);
        assert!(before.differing_names(&same).is_empty());
        let after = ExternalSymbols::of_summaries(&[&fg, &g], builtin);
        let differing = before.differing_names(&after);
        assert_eq!(differing.into_iter().collect::<Vec<_>>(), ["g"]);
        assert_eq!(after.functions("g"), [UnitId(0), UnitId(1)]);
    }
}
