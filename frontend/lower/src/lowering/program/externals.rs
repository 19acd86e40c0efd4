//! Names that units define for others, and what an earlier run remembers of units while these mean the same.

use super::table::Table;
use super::{Linked, Program};
use crate::memory::{ProgramMemory, UnitSummary};
use crate::syntax::GlobalName;
use crate::syntax::{Name, UnitId};
use premiss_parallel as parallel;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The units that define names with external linkage.
#[derive(Default)]
pub(super) struct Externals {
    functions: FxHashMap<Name, Vec<UnitId>>,
    /// With the first unit that declares the object.
    objects: FxHashMap<Name, (Vec<UnitId>, UnitId)>,
}

impl Externals {
    /// Of units that are there or remembered; `known` has definitions that are nobody's.
    pub(super) fn of(tables: &[Table], known: UnitId) -> Self {
        let mut externals = Self::default();
        for (unit, table) in (0..).map(UnitId).zip(tables) {
            if unit != known {
                externals.add(unit, table.external_functions(), table.external_objects());
            }
        }
        externals
    }

    /// Of the units of an earlier run.
    fn before(summaries: &[UnitSummary], known: UnitId) -> Self {
        let mut externals = Self::default();
        for (unit, summary) in (0..).map(UnitId).zip(summaries) {
            if unit != known {
                externals.add(unit, summary.functions(), summary.objects());
            }
        }
        externals
    }

    fn add(&mut self, unit: UnitId, functions: Vec<Name>, objects: Vec<(Name, bool)>) {
        for name in functions {
            self.functions.entry(name).or_default().push(unit);
        }
        for (name, is_defined) in objects {
            let known = self.objects.entry(name);
            let (defined, _) = known.or_insert_with(|| (Vec::new(), unit));
            if is_defined {
                defined.push(unit);
            }
        }
    }

    /// The units that define a function.
    pub(super) fn functions(&self, name: &str) -> &[UnitId] {
        self.functions.get(name).map_or(&[], Vec::as_slice)
    }

    /// The units that define an object, and the first that declares it.
    pub(super) fn object(&self, name: &str) -> Option<(&[UnitId], UnitId)> {
        let (defined, first) = self.objects.get(name)?;
        Some((defined, *first))
    }

    /// The names that other units define than there.
    fn other_names<'s>(&'s self, there: &'s Self) -> FxHashSet<&'s str> {
        let functions = [self, there].into_iter().flat_map(|x| x.functions.keys());
        let functions = functions.filter(|name| self.functions(name) != there.functions(name));
        let objects = [self, there].into_iter().flat_map(|x| x.objects.keys());
        let objects = objects.filter(|name| self.object(name) != there.object(name));
        functions.chain(objects).map(|name| &**name).collect()
    }
}

impl<'a> Linked<'a> {
    /// What an earlier run left of as many units.
    fn before(&self) -> Option<&'a ProgramMemory> {
        let first = self.tables.first()?.parsed.origins.main().as_u32();
        let before = self.memory?.before(first)?;
        (before.units.len() == self.tables.len()).then_some(before)
    }

    /// Finds which units are remembered: what is depends on what the names that they use mean. The others are made.
    pub(super) fn settle_summaries(&mut self) {
        let known = self.stated.known;
        let before = self
            .before()
            .map(|x| Externals::before(&x.summaries, known));
        let others = before.as_ref().map(|x| self.externals.other_names(x));
        let holds = |summary: &UnitSummary| {
            let mut asks = summary.surface.asks.iter();
            let others = others.as_ref();
            others.is_some_and(|others| !asks.any(|name| others.contains(&**name)))
        };
        for table in &mut self.tables {
            table.is_remembered = table.parsed.said.summary().is_some_and(holds);
        }
        parallel::map(&self.tables, |table| {
            if !table.is_remembered {
                table.contents();
            }
        });
    }

    /// Finds what is seen of each unit.
    pub(super) fn find_surfaces(self: &Arc<Self>) {
        let units = (0..).map(UnitId).zip(&self.tables);
        parallel::map(units, |(unit, table)| {
            table.surface.get_or_init(|| match self.summary(table) {
                Some(summary) => summary.surface.clone(),
                None => Arc::new(self.view().find_surface(unit)),
            });
        });
    }

    /// Names at file scope that some function changes, in order.
    pub(super) fn find_written(&self) -> Vec<GlobalName> {
        let surfaces = self.tables.iter().filter_map(|table| table.surface.get());
        let written: BTreeSet<_> = surfaces.flat_map(|surface| surface.written()).collect();
        written.into_iter().cloned().collect()
    }

    /// What an earlier run remembers of a unit that is not there.
    pub(super) fn summary(&self, table: &Table<'a>) -> Option<&'a UnitSummary> {
        let summary = table.parsed.said.summary();
        summary.filter(|_| table.is_remembered)
    }
}

impl Program<'_> {
    /// What linking has to know of each unit.
    pub(in crate::lowering) fn summaries(&self) -> Vec<UnitSummary> {
        let summary = |table: &Table<'_>| match self.linked.summary(table) {
            Some(remembered) => UnitSummary {
                draft: table.parsed.draft.to_vec(),
                ..remembered.clone()
            },
            None => self.summary_of(table),
        };
        self.linked.tables.iter().map(summary).collect()
    }

    fn summary_of(&self, table: &Table<'_>) -> UnitSummary {
        let main = table.parsed.origins.main();
        let memory = self.linked.memory;
        let meaning = memory.map(|memory| memory.meaning(self.linked.sources, main));
        let functions = table.external_functions();
        let objects = table.external_objects().into_iter();
        UnitSummary {
            meaning: meaning.unwrap_or_default(),
            depends: table.parsed.depends,
            functions: functions.iter().map(ToString::to_string).collect(),
            objects: objects.map(|(name, is)| (name.to_string(), is)).collect(),
            n_loops: table.n_loops(),
            surface: table.surface.get().cloned().unwrap_or_default(),
            draft: table.parsed.draft.to_vec(),
        }
    }
}

impl UnitSummary {
    /// The functions that the unit defines and others see.
    pub(super) fn functions(&self) -> Vec<Name> {
        let names = self.functions.iter();
        names.map(|name| name.as_str().into()).collect()
    }

    /// The objects that it declares and others see, and whether it defines them.
    pub(super) fn objects(&self) -> Vec<(Name, bool)> {
        let objects = self.objects.iter();
        objects
            .map(|(name, is_defined)| (name.as_str().into(), *is_defined))
            .collect()
    }
}
