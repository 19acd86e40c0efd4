//! Names with external linkage, with the units that define them.

use crate::symbols::UnitSymbols;
use crate::unit_summary::{Place, UnitSummary};
use premiss_ast::syntax::{Name, UnitId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The units that define each name with external linkage.
#[derive(Default)]
pub struct ExternalSymbols {
    functions: FxHashMap<Name, Vec<UnitId>>,
    /// The units that define functions in the text of files that they include, as tests do that include the source that
    /// they test. They count only where no unit defines the function in a file of its own.
    included: FxHashMap<Name, Vec<UnitId>>,
    /// Each with the defining units and the first unit that declares the object.
    objects: FxHashMap<Name, (Vec<UnitId>, UnitId)>,
}

impl ExternalSymbols {
    /// Collects the names of units, or of their summaries if they are deferred; the unit `builtin` of function models
    /// is left out.
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

    /// Collects the names from the summaries of an earlier run.
    pub(crate) fn of_summaries(summaries: &[&UnitSummary], builtin: UnitId) -> Self {
        let mut externals = Self::default();
        for (unit, summary) in (0..).map(UnitId).zip(summaries) {
            if unit != builtin {
                let functions = summary.function_names();
                externals.add(unit, functions, summary.object_names());
            }
        }
        externals
    }

    fn add(&mut self, unit: UnitId, functions: Vec<(Name, Place)>, objects: Vec<(Name, bool)>) {
        for (name, place) in functions {
            let table = match place {
                Place::Own => &mut self.functions,
                Place::Included => &mut self.included,
            };
            table.entry(name).or_default().push(unit);
        }
        for (name, is_defined) in objects {
            let entry = self.objects.entry(name);
            let (defined, _) = entry.or_insert_with(|| (Vec::new(), unit));
            if is_defined {
                defined.push(unit);
            }
        }
    }

    /// The units that define a function, in order; empty if there are none. Those that include its text are left out if
    /// others do not.
    #[must_use]
    pub fn functions(&self, name: &str) -> &[UnitId] {
        let units = self.functions.get(name).or_else(|| self.included.get(name));
        units.map_or(&[], Vec::as_slice)
    }

    /// The units that define an object, in order, and the first unit that declares it; `None` if no unit declares it
    /// with external linkage.
    #[must_use]
    pub fn object(&self, name: &str) -> Option<(&[UnitId], UnitId)> {
        let (defined, first) = self.objects.get(name)?;
        Some((defined, *first))
    }

    /// The names whose definitions are in different units than in `other`.
    pub(crate) fn differing_names<'s>(&'s self, other: &'s Self) -> FxHashSet<&'s str> {
        let tables = |x: &'s Self| [&x.functions, &x.included];
        let tables = [self, other].into_iter().flat_map(tables);
        let functions = tables.flat_map(FxHashMap::keys);
        let functions = functions.filter(|name| self.functions(name) != other.functions(name));
        let objects = [self, other].into_iter().flat_map(|x| x.objects.keys());
        let objects = objects.filter(|name| self.object(name) != other.object(name));
        functions.chain(objects).map(|name| &**name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::ExternalSymbols;
    use crate::unit_summary::{Place, UnitSummary};
    use premiss_ast::syntax::UnitId;

    fn defining(functions: &[&str]) -> UnitSummary {
        UnitSummary {
            functions: functions
                .iter()
                .map(|name| (name.to_string(), Place::Own))
                .collect(),
            ..UnitSummary::default()
        }
    }

    #[test]
    fn a_file_that_includes_the_source_of_a_function_does_not_define_it_again() {
        let with = |place| UnitSummary {
            functions: vec![("f".to_owned(), place)],
            ..UnitSummary::default()
        };
        let (own, included) = (with(Place::Own), with(Place::Included));
        let units = |units: &[&UnitSummary]| {
            ExternalSymbols::of_summaries(units, UnitId(9))
                .functions("f")
                .to_vec()
        };
        assert_eq!(units(&[&included, &own, &included]), [UnitId(1)]);
        assert_eq!(units(&[&included]), [UnitId(0)]);
        assert_eq!(units(&[&own, &own]), [UnitId(0), UnitId(1)]);
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
