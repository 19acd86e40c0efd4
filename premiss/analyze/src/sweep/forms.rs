//! The closed forms that a sweep needs: one for each line size and residue class of its points.

use super::point::Point;
use crate::options::{Engine, MeasureOptions};
use premiss_distance::{PreparedHistogram, SymbolicHistogram};
use premiss_formulas::{Derivation, NoClosedForm, ResidueFactors, factors, symbolic_form};
use premiss_machine::{CacheChain, chains, line_sizes};
use premiss_parallel as parallel;
use premiss_tree::{NestTree, ParameterId};
use std::collections::{BTreeMap, BTreeSet};

/// A line size in bytes and the remainders of the sizes.
pub(super) type SizeClass = (u64, BTreeMap<ParameterId, i64>);

/// The closed form of a residue class, ready to be evaluated at its points.
pub(super) struct EvaluableForm {
    pub(super) histogram: SymbolicHistogram,
    pub(super) prepared: PreparedHistogram,
}

impl From<Derivation> for EvaluableForm {
    fn from(form: Derivation) -> Self {
        Self {
            prepared: form.histogram.prepared(),
            histogram: form.histogram,
        }
    }
}

/// The closed forms of a sweep, by residue class.
pub(super) struct SweepForms<'a> {
    pub(super) tree: &'a NestTree,
    pub(super) options: &'a MeasureOptions,
    /// By line size.
    factors: BTreeMap<u64, Result<ResidueFactors, NoClosedForm>>,
    pub(super) derived: BTreeMap<SizeClass, Result<EvaluableForm, NoClosedForm>>,
    pub(super) reasons: Vec<String>,
}

impl<'a> SweepForms<'a> {
    pub(super) fn new(tree: &'a NestTree, options: &'a MeasureOptions) -> Self {
        Self {
            tree,
            options,
            factors: BTreeMap::new(),
            derived: BTreeMap::new(),
            reasons: Vec::new(),
        }
    }

    /// Whether closed forms for lines of this size are derived before anything is traced.
    pub(super) fn is_wanted_first(&self, line_size: u64) -> bool {
        let mut levels = self.options.machine.levels().map(|(_, x)| x);
        let is_first = levels
            .next()
            .is_some_and(|first| first.line_size == line_size);
        let mut chains = self.chains().into_iter();
        is_first
            || self.options.engine == Engine::Closed
            || chains.any(|chain| {
                let all = 0..chain.levels.len();
                chain.has_lines(line_size)
                    && all.into_iter().all(|idx| is_fully_associative(&chain, idx))
            })
    }

    pub(super) fn chains(&self) -> Vec<CacheChain> {
        chains(&self.options.machine, self.options.hierarchy)
    }

    /// The classes of the points for which `is_wanted` holds (of a point's index and a line size) that have not been
    /// derived yet, each once; none if the options rule out closed forms.
    pub(super) fn classes(
        &mut self,
        points: &[Point],
        is_wanted: impl Fn(&Self, usize, u64) -> bool,
    ) -> Vec<SizeClass> {
        let mut classes = Vec::new();
        if self.options.engine == Engine::Trace {
            return classes;
        }
        let mut unique = BTreeSet::new();
        for line_size in line_sizes(&self.options.machine) {
            for (idx, point) in points.iter().enumerate() {
                if !is_wanted(self, idx, line_size) {
                    continue;
                }
                let Some(factors) = self.factors(line_size) else {
                    break;
                };
                let class = (line_size, residues(self.tree, &factors, point));
                if !self.derived.contains_key(&class) && unique.insert(class.clone()) {
                    classes.push(class);
                }
            }
        }
        classes
    }

    /// The factors of the residue classes for lines of `line_size` bytes.
    fn factors(&mut self, line_size: u64) -> Option<ResidueFactors> {
        let (tree, options) = (self.tree, self.options);
        if let Some(found) = self.factors.get(&line_size) {
            return found.as_ref().ok().cloned();
        }
        let found = factors(tree, options.derivation().for_lines(line_size));
        if let Err(why) = &found {
            self.note(why);
        }
        self.factors.insert(line_size, found.clone());
        found.ok()
    }

    /// Derives the closed forms of classes, on all processors.
    pub(super) fn derive(&mut self, classes: &[SizeClass]) {
        let forms = parallel::map(classes, |(line_size, residues)| {
            let factors = self.factors.get(line_size)?.as_ref().ok()?;
            let options = self.options.derivation().for_lines(*line_size);
            Some(symbolic_form(self.tree, factors, residues, options).map(EvaluableForm::from))
        });
        for (class, form) in classes.iter().zip(forms) {
            let Some(form) = form else { continue };
            if let Err(why) = &form {
                self.note(why);
            }
            self.derived.insert(class.clone(), form);
        }
    }

    fn note(&mut self, why: &NoClosedForm) {
        let reason = format!("no closed form: {}", why.message(self.tree));
        if !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
    }

    /// The closed form of the class of a point, and the values of its columns at the point.
    pub(super) fn form(
        &self,
        line_size: u64,
        point: &Point,
    ) -> Option<(&EvaluableForm, Vec<i128>)> {
        let factors = self.factors.get(&line_size)?.as_ref().ok()?;
        let class = (line_size, residues(self.tree, factors, point));
        let form = self.derived.get(&class)?.as_ref().ok()?;
        let mut values = Vec::new();
        for size in &form.histogram.parameters {
            let value = point.get(&self.tree.parameters[size.id].name)?;
            let above = value
                .checked_sub(size.residue)
                .filter(|above| 0 <= *above)?;
            values.push(i128::from(above / size.factor));
        }
        form.histogram
            .context
            .contains(&values)
            .ok()?
            .then_some((form, values))
    }
}

/// Whether closed forms determine the misses of a level.
pub(super) fn is_fully_associative(chain: &CacheChain, idx: usize) -> bool {
    chain.heeds_distance(idx) && chain.levels[idx].geometry.sets == 1
}

/// The remainders of a point's sizes modulo their factors.
fn residues(
    tree: &NestTree,
    factors: &ResidueFactors,
    point: &Point,
) -> BTreeMap<ParameterId, i64> {
    let residue = |(id, factor): (&ParameterId, &i64)| {
        let value = point.get(&tree.parameters[*id].name)?;
        Some((*id, value.rem_euclid(*factor)))
    };
    factors.iter().filter_map(residue).collect()
}
