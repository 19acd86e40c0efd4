//! Unit summaries: validates those of an earlier run and collects those for the next one.

use crate::externals::ExternalSymbols;
use crate::program::LinkedProgram;
use crate::unit_summary::UnitSummary;
use premiss_ast::syntax::{GlobalName, UnitId};
use premiss_parallel as parallel;
use std::collections::BTreeSet;
use std::sync::Arc;

impl<'a> LinkedProgram<'a> {
    /// Finds which summaries of an earlier run are still valid: those whose looked-up names have the same definitions.
    /// Builds the syntax of the other units.
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

    /// Finds the interface of each unit.
    pub(crate) fn find_interfaces(self: &Arc<Self>) {
        parallel::map(self.unit_ids().zip(&self.units), |(id, unit)| {
            unit.interface.get_or_init(|| match self.valid_summary(id) {
                Some(summary) => summary.interface.clone(),
                None => Arc::new(self.view().find_interface(id)),
            });
        });
    }

    /// The names at file scope that some function modifies, sorted.
    pub(crate) fn collect_modified(&self) -> Vec<GlobalName> {
        let interfaces = self.units.iter().filter_map(|unit| unit.interface.get());
        let modified: BTreeSet<_> = interfaces.flat_map(|x| x.modified()).collect();
        modified.into_iter().cloned().collect()
    }

    /// The summary that an earlier run left of a deferred unit, if it is still valid.
    #[must_use]
    pub fn valid_summary(&self, unit: UnitId) -> Option<&'a UnitSummary> {
        let unit = self.unit(unit);
        let summary = unit.inputs.syntax.summary();
        summary.filter(|_| unit.has_valid_summary)
    }

    /// The summary of a unit, for the next run.
    #[must_use]
    pub fn summary_of(&self, unit: UnitId) -> UnitSummary {
        if let Some(summary) = self.valid_summary(unit) {
            return summary.clone();
        }
        let unit = self.unit(unit);
        let functions = unit.external_functions().into_iter();
        let objects = unit.external_objects().into_iter();
        UnitSummary {
            functions: functions
                .map(|(name, place)| (name.to_string(), place))
                .collect(),
            objects: objects.map(|(name, is)| (name.to_string(), is)).collect(),
            n_loops: unit.n_loops(),
            interface: unit.interface.get().cloned().unwrap_or_default(),
        }
    }
}
