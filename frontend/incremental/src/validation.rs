//! Validates the records of an earlier run, and collects those of this one.
//!
//! The record of a unit is valid if each input that its computation read has the same value as before. The computation
//! is a function of these inputs, so its result is the same and it need not be repeated.

use crate::cache::IncrementalCache;
use crate::program::IncrementalProgram;
use crate::records::{
    DependencyRecord, ObjectDefinitions, ProgramRecord, PureCallRecord, SummaryRecord, UnitRecord,
};
use premiss_ast::syntax::{GlobalName, Name, UnitId};
use premiss_link::{CachedPureCall, Dependencies, PureCall};
use std::collections::BTreeSet;

/// The record of an earlier run of a program with the same environment.
pub(crate) struct ReusableUnits<'c> {
    pub(crate) earlier: &'c ProgramRecord,
    /// For each unit, whether its record is valid.
    is_reusable: Vec<bool>,
}

impl<'c> ReusableUnits<'c> {
    /// The record of a unit, if it is valid.
    pub(crate) fn record(&self, unit: UnitId) -> Option<&'c UnitRecord> {
        let idx = unit.0 as usize;
        let is_reusable = self.is_reusable.get(idx).is_some_and(|reusable| *reusable);
        self.earlier.units.get(idx).filter(|_| is_reusable)
    }
}

/// For each unit, whether its fingerprints are those of the earlier run.
struct UnitComparison {
    contents: Vec<bool>,
    signatures: Vec<bool>,
}

impl UnitComparison {
    fn has_same_contents(&self, unit: UnitId) -> bool {
        self.contents.get(unit.0 as usize) == Some(&true)
    }

    fn has_same_signatures(&self, unit: UnitId) -> bool {
        self.signatures.get(unit.0 as usize) == Some(&true)
    }
}

impl<'a> IncrementalProgram<'a> {
    /// The reusable records of an earlier run; `None` if its environment differs.
    pub(crate) fn reusable_units(&self) -> Option<ReusableUnits<'a>> {
        let cache = self.usable_cache()?;
        let earlier = cache.earlier(self.first_file())?;
        let is_comparable = earlier.environment == self.environment()
            && earlier.units.len() == self.linked().unit_ids().count();
        if !is_comparable {
            return None;
        }
        let units = self.compare(earlier);
        self.reuse_pure_calls(earlier, &units);
        let is_reusable = |(unit, record): (UnitId, &UnitRecord)| {
            unit != self.linked().builtin_unit()
                && units.has_same_contents(unit)
                && !self.is_lost(cache, unit)
                && self.still_holds(&record.dependencies, &units)
                && record.pure_calls.iter().all(|x| self.has_same_result(x))
        };
        let records = self.linked().unit_ids().zip(&earlier.units);
        let is_reusable = records.map(is_reusable).collect();
        self.program.take_dependencies();
        Some(ReusableUnits {
            earlier,
            is_reusable,
        })
    }

    fn compare(&self, earlier: &ProgramRecord) -> UnitComparison {
        let units = earlier.units.iter().zip(self.fingerprints());
        let (contents, signatures) = units
            .map(|(before, now)| {
                let before = before.fingerprint;
                let is_same = before.contents == now.contents;
                (is_same, before.signatures == now.signatures)
            })
            .unzip();
        UnitComparison {
            contents,
            signatures,
        }
    }

    /// Adds the results of pure calls that are still valid to the cache.
    fn reuse_pure_calls(&self, earlier: &ProgramRecord, units: &UnitComparison) {
        for (record, dependencies) in &earlier.pure_calls {
            if self.still_holds(dependencies, units) {
                let cached = CachedPureCall {
                    result: Some(record.result.clone()),
                    dependencies: dependencies.inputs(),
                };
                self.linked().insert_pure_call(record.call.clone(), cached);
            }
        }
    }

    fn is_lost(&self, cache: &IncrementalCache, unit: UnitId) -> bool {
        cache.is_lost(self.linked().inputs(unit).origins.main())
    }

    /// Whether all inputs of a computation have the recorded values.
    fn still_holds(&self, record: &DependencyRecord, units: &UnitComparison) -> bool {
        let mut signatures = record.signatures.iter();
        record.units.iter().all(|x| units.has_same_contents(*x))
            && signatures.all(|x| units.has_same_signatures(*x))
            && self.has_same_declarations(record, units)
            && self.has_same_definitions(record)
            && self.has_same_call_summaries(record)
    }

    fn has_same_declarations(&self, record: &DependencyRecord, units: &UnitComparison) -> bool {
        let mut declaring = record.declaring_units();
        declaring.all(|unit| units.has_same_contents(unit)) || {
            let (names, structs) = (&record.declarations, &record.structs);
            let fingerprint = self.linked().declarations_fingerprint(names, structs);
            fingerprint == record.declarations_fingerprint
        }
    }

    fn has_same_definitions(&self, record: &DependencyRecord) -> bool {
        let externals = self.linked().externals();
        let mut functions = record.functions.iter();
        let mut objects = record.objects.iter();
        let mut modified = record.modified.iter();
        functions.all(|(name, units)| externals.functions(name) == units)
            && objects.all(|(name, definitions)| self.definitions_of(name) == *definitions)
            && modified.all(|(name, is)| self.linked().is_modified(name) == *is)
    }

    fn has_same_call_summaries(&self, record: &DependencyRecord) -> bool {
        let linked = self.linked();
        let mut summaries = record.call_summaries.iter();
        let mut steps = record.steps.iter();
        summaries.all(|(function, x)| linked.call_summary_fingerprint(function) == *x)
            && steps.all(|(function, bounds)| linked.takes_steps_within(function, *bounds))
    }

    fn has_same_result(&self, record: &PureCallRecord) -> bool {
        let evaluate = |call: &PureCall| self.evaluate(call);
        let cached = self.program.cached_pure_call(&record.call, &evaluate);
        cached.result.as_ref() == Some(&record.result)
    }

    fn definitions_of(&self, name: &str) -> Option<ObjectDefinitions> {
        let (defined, first) = self.linked().externals().object(name)?;
        Some((defined.to_vec(), first))
    }

    /// Records the inputs of a computation with their values.
    pub(crate) fn record_dependencies(&self, read: Dependencies) -> DependencyRecord {
        let linked = self.linked();
        let names = read.names;
        let declarations: Vec<_> = names.declarations.into_iter().collect();
        let structs: Vec<_> = names.structs.into_iter().collect();
        let function = |name: Name| {
            let units = linked.externals().functions(&name).to_vec();
            (name, units)
        };
        let object = |name: Name| {
            let definitions = self.definitions_of(&name);
            (name, definitions)
        };
        let modified = |name: GlobalName| {
            let is_modified = linked.is_modified(&name);
            (name, is_modified)
        };
        let summary = |function: GlobalName| {
            let fingerprint = linked.call_summary_fingerprint(&function);
            (function, fingerprint)
        };
        DependencyRecord {
            units: read.units,
            signatures: read.signatures,
            functions: names.functions.into_iter().map(function).collect(),
            objects: names.objects.into_iter().map(object).collect(),
            declarations_fingerprint: linked.declarations_fingerprint(&declarations, &structs),
            declarations,
            structs,
            modified: names.modified.into_iter().map(modified).collect(),
            call_summaries: names.call_summaries.into_iter().map(summary).collect(),
            steps: names.steps.into_iter().collect(),
            used_sizes: names.sizes.into_iter().collect(),
        }
    }

    /// The results of the pure calls that a computation used.
    pub(crate) fn record_pure_calls(&self, calls: &BTreeSet<PureCall>) -> Vec<PureCallRecord> {
        let evaluate = |call: &PureCall| self.evaluate(call);
        let record = |call: &PureCall| {
            let cached = self.program.cached_pure_call(call, &evaluate);
            PureCallRecord::new(call, &cached)
        };
        calls.iter().filter_map(record).collect()
    }

    /// The results of the pure calls that units used, with their dependencies.
    pub(crate) fn pure_calls_of(
        &self,
        units: &[UnitRecord],
    ) -> Vec<(PureCallRecord, DependencyRecord)> {
        let records = units.iter().flat_map(|unit| &unit.pure_calls);
        let calls: BTreeSet<PureCall> = records.map(|record| record.call.clone()).collect();
        let evaluate = |call: &PureCall| self.evaluate(call);
        let records = calls.iter().filter_map(|call| {
            let cached = self.program.cached_pure_call(call, &evaluate);
            let record = PureCallRecord::new(call, &cached)?;
            let read = self.program.transitive_dependencies(cached, &evaluate);
            Some((record, self.record_dependencies(read)))
        });
        records.collect()
    }

    /// The summary records of all units.
    pub(crate) fn summary_records(&self) -> Vec<SummaryRecord> {
        let record = |(unit, inputs): (UnitId, &crate::program::FrontendInput)| SummaryRecord {
            text: self.text_fingerprint(unit).unwrap_or_default(),
            translation: inputs.translation,
            summary: self.linked().summary_of(unit),
            frontend_summary: inputs.frontend_summary.to_vec(),
        };
        let units = self.linked().unit_ids().zip(&self.inputs);
        units.map(record).collect()
    }
}
